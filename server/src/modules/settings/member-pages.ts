import type { House } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { type Part, day, hidden, html, named, seeOther } from '../pages/public.ts'
import { type Fields, listWhoSignsIn } from '../signin/public.ts'
import {
  type MemberRow,
  findMember,
  mayManage,
  setMemberActive,
  setMemberRole,
} from '../workspaces/public.ts'
import { button, deskForm, deskPage } from './desk-page.ts'
import { type Desk, buttonRoute, deskRoute } from './desk.ts'
import { memberState } from './member-list-page.ts'
import { type Refusal, nothingWrong, refusalOf } from './refusal.ts'
import { requireRole, roleChoices } from './roles.ts'

/** One member: who it is, their role, and whether they still are one. */
export const memberRoutes = (house: House): PlainRoute[] => [
  deskRoute(house, '/members/:member', {
    GET: async (desk) => memberPage(desk, await memberOf(desk)),
    POST: setRole,
  }),
  deskRoute(house, '/members/:member/deactivate', {
    GET: async (desk) => leavePage(desk, await memberOf(desk)),
    POST: deactivate,
  }),
  buttonRoute(house, '/members/:member/activate', pathOf, ({ ctx, id }) =>
    setMemberActive(ctx, id('member'), true),
  ),
]

const pathOf = ({ base, id }: Desk) => `${base}/members/${id('member')}`
const memberOf = async ({ ctx, id }: Desk): Promise<MemberRow> =>
  found(await findMember(ctx.db, id('member')))
const isSelf = ({ place }: Desk, { id }: MemberRow) => place.member.id === id

async function memberPage(
  desk: Desk,
  member: MemberRow,
  { status, faults, message }: Refusal = nothingWrong,
): Promise<PlainAnswer> {
  const { ctx, place } = desk
  const signingIn = await listWhoSignsIn(ctx.directory, place.workspace.id)
  const signsIn = signingIn.some(({ member_id }) => member_id === member.id)
  return deskPage(desk, 'members', {
    title: `Member: ${member.name}`,
    heading: html`Member: ${named(member.name)}`,
    status,
    main: html`${message}
<dl class="facts">
<dt>E-mail address</dt><dd>${named(member.email)}</dd>
<dt>Role</dt><dd>${member.role}${isSelf(desk, member) ? ' (this is you)' : ''}</dd>
<dt>State</dt><dd>${memberState(member.active)}</dd>
<dt>Signs in</dt><dd>${signsIn ? 'yes' : 'not yet'}</dd>
<dt>Member since</dt><dd>${day(member.created_at)}</dd>
</dl>
${
  mayManage(place.member.role, member.role)
    ? managing(desk, member, signsIn, faults['role'])
    : html`<p class="muted">Only owners change owners.</p>`
}`,
  })
}

const managing = (desk: Desk, member: MemberRow, signsIn: boolean, fault: string | undefined): Part => {
  const path = pathOf(desk)
  return html`${deskForm(desk, {
    to: path,
    label: 'Change the role',
    back: `${desk.base}/members`,
    fields: roleChoices(desk.place.member.role, member.role, fault),
  })}
<div class="buttons">${
    signsIn || !member.active
      ? ''
      : html`<a class="button" href="${desk.base}/members/invite?member=${member.id}">Invite them to sign in</a>`
  }
${
  member.active
    ? html`<a class="button danger" href="${path}/deactivate">Deactivate</a>`
    : button(desk, `${path}/activate`, 'Activate')
}</div>`
}

async function setRole(desk: Desk, form: Fields): Promise<PlainAnswer> {
  const member = await memberOf(desk)
  const by = desk.place.member.role
  try {
    const role = requireRole(form.text('role'), by)
    if (isSelf(desk, member) && role !== by && form.text('sure') !== 'yes') return ownRolePage(desk, role)
    await setMemberRole(desk.ctx, member.id, role)
    return seeOther(isSelf(desk, member) ? '/settings' : `${desk.base}/members`)
  } catch (error) {
    return memberPage(desk, member, refusalOf(error))
  }
}

/** Nobody steps down by a slip. */
const ownRolePage = (desk: Desk, role: string): PlainAnswer =>
  deskPage(desk, 'members', {
    title: 'Change your own role',
    main: html`<p>You are ${desk.place.member.role} here and would be ${role}, from your next click on. Somebody else must make you
${desk.place.member.role} again.</p>
${deskForm(desk, {
  label: 'Change my role',
  kind: 'danger',
  back: pathOf(desk),
  fields: hidden({ role, sure: 'yes' }),
})}`,
  })

function leavePage(desk: Desk, member: MemberRow, { status, message }: Refusal = nothingWrong): PlainAnswer {
  const who = isSelf(desk, member)
    ? html`<strong>This is you.</strong> You lose this workspace with your next click, and somebody else must let you in again.`
    : html`${named(member.name)} loses this workspace with their next click, and gets no new leads.`
  return deskPage(desk, 'members', {
    title: 'Deactivate a member',
    status,
    main: html`${message}
<p>${who} What they did stays, and they can be activated again.</p>
${deskForm(desk, { label: 'Deactivate', kind: 'danger', back: pathOf(desk) })}`,
  })
}

async function deactivate(desk: Desk): Promise<PlainAnswer> {
  const member = await memberOf(desk)
  try {
    await setMemberActive(desk.ctx, member.id, false)
    return seeOther(isSelf(desk, member) ? '/settings' : `${desk.base}/members`)
  } catch (error) {
    return leavePage(desk, member, refusalOf(error))
  }
}
