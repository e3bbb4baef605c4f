import type { Runtime } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type FieldErrors,
  type FormFields,
  type Part,
  day,
  field,
  hidden,
  html,
  named,
  seeOther,
} from '../pages/public.ts'
import { listWhoSignsIn } from '../people/public.ts'
import { type MemberRow, changeMember, findMember, mayManage, setMemberActive } from '../workspaces/public.ts'
import { type FormState, untouched, rejected } from './form-state.ts'
import { memberState } from './member-list-page.ts'
import { requireRole, roleChoices } from './roles.ts'
import { button, settingsForm, settingsPage } from './settings-page.ts'
import { type SettingsRequest, buttonRoute, settingsRoute } from './settings-route.ts'

/** Shows a member, and changes their role and status. */
export const memberRoutes = (runtime: Runtime): PlainRoute[] => [
  settingsRoute(
    runtime,
    '/members/:member',
    { GET: async (request) => memberPage(request, await memberOf(request)), POST: save },
    'form',
  ),
  settingsRoute(
    runtime,
    '/members/:member/deactivate',
    { GET: async (request) => deactivatePage(request, await memberOf(request)), POST: deactivate },
    'page',
  ),
  buttonRoute(
    runtime,
    '/members/:member/activate',
    pathOf,
    ({ ctx, id }) => setMemberActive(ctx, id('member'), true),
    'form',
  ),
]

const pathOf = ({ base, id }: SettingsRequest) => `${base}/members/${id('member')}`
const memberOf = async ({ ctx, id }: SettingsRequest): Promise<MemberRow> =>
  orNotFound(await findMember(ctx.db, id('member')))
const isSelf = ({ membership }: SettingsRequest, { id }: MemberRow) => membership.member.id === id

async function memberPage(
  request: SettingsRequest,
  member: MemberRow,
  { status, errors, message }: FormState = untouched,
): Promise<PlainResponse> {
  const { ctx, membership } = request
  const signingIn = await listWhoSignsIn(ctx.directory, membership.workspace.id)
  const signsIn = signingIn.some(({ member_id }) => member_id === member.id)
  return settingsPage(request, 'members', {
    title: `Member: ${member.name}`,
    heading: html`Member: ${named(member.name)}`,
    status,
    main: html`${message}
<dl class="facts">
<dt>Email address</dt><dd>${named(member.email)}</dd>
<dt>Role</dt><dd>${member.role}${member.team_lead ? ', team lead' : ''}${isSelf(request, member) ? ' (this is you)' : ''}</dd>
<dt>Phone</dt><dd>${member.phone ?? 'none'}</dd>
<dt>Status</dt><dd>${memberState(member.active)}</dd>
<dt>Can sign in</dt><dd>${signsIn ? 'yes' : 'no'}</dd>
<dt>Member since</dt><dd>${day(member.created_at)}</dd>
</dl>
${
  mayManage(membership.member.role, member.role)
    ? managing(request, member, signsIn, errors)
    : html`<p class="muted">Only owners can change owners.</p>`
}`,
  })
}

const managing = (
  request: SettingsRequest,
  member: MemberRow,
  signsIn: boolean,
  errors: FieldErrors,
): Part => {
  const path = pathOf(request)
  return html`${settingsForm(request, {
    to: path,
    label: 'Save',
    back: `${request.base}/members`,
    fields: html`${roleChoices(request.membership.member.role, member.role, errors['role'])}
${field({
  name: 'phone',
  label: 'Phone',
  type: 'tel',
  value: member.phone ?? '',
  hint: 'With the country code, such as +13125550177. It rings when they place a call, and when their contacts call.',
  error: errors['phone'],
  maxLength: 20,
  optional: true,
})}
<p class="check"><label><input type="checkbox" name="team_lead" value="yes"${member.team_lead ? html` checked` : ''}>
<span>Team lead: an agent who also sees the records of the members of their teams</span></label></p>`,
  })}
<div class="buttons">${
    signsIn || !member.active
      ? ''
      : html`<a class="button" href="${request.base}/members/invite?member=${member.id}">Invite to sign in</a>`
  }
${
  member.active
    ? html`<a class="button danger" href="${path}/deactivate">Deactivate</a>`
    : button(request, `${path}/activate`, 'Activate')
}</div>`
}

async function save(request: SettingsRequest, form: FormFields): Promise<PlainResponse> {
  const member = await memberOf(request)
  const by = request.membership.member.role
  try {
    const role = requireRole(form.text('role'), by)
    const team_lead = form.text('team_lead') === 'yes'
    const phone = form.text('phone').replaceAll(/[\s().-]/g, '') || null
    if (isSelf(request, member) && role !== by && form.text('sure') !== 'yes')
      return ownRolePage(request, { role, team_lead, phone })
    await changeMember(request.ctx, member.id, { role, team_lead, phone })
    return seeOther(isSelf(request, member) ? '/settings' : `${request.base}/members`)
  } catch (error) {
    return memberPage(request, { ...member, phone: form.text('phone') }, rejected(error))
  }
}

/** Asks for confirmation before people change their own role. */
const ownRolePage = (
  request: SettingsRequest,
  { role, team_lead, phone }: { role: string; team_lead: boolean; phone: string | null },
): PlainResponse =>
  settingsPage(request, 'members', {
    title: 'Change your own role',
    main: html`<p>Your role changes from ${request.membership.member.role} to ${role} at once. Only another member can change it back.</p>
${settingsForm(request, {
  label: 'Change my role',
  kind: 'danger',
  back: pathOf(request),
  fields: hidden({ role, ...(team_lead && { team_lead: 'yes' }), phone: phone ?? '', sure: 'yes' }),
})}`,
  })

function deactivatePage(
  request: SettingsRequest,
  member: MemberRow,
  { status, message }: FormState = untouched,
): PlainResponse {
  const who = isSelf(request, member)
    ? html`<strong>This is you.</strong> You lose access to this workspace at once, and only another member can activate you again.`
    : html`${named(member.name)} loses access to this workspace at once and gets no new leads.`
  return settingsPage(request, 'members', {
    title: 'Deactivate member',
    status,
    main: html`${message}
<p>${who} Gable keeps their records, and you can activate them again.</p>
${settingsForm(request, { label: 'Deactivate', kind: 'danger', back: pathOf(request) })}`,
  })
}

async function deactivate(request: SettingsRequest): Promise<PlainResponse> {
  const member = await memberOf(request)
  try {
    await setMemberActive(request.ctx, member.id, false)
    return seeOther(isSelf(request, member) ? '/settings' : `${request.base}/members`)
  } catch (error) {
    return deactivatePage(request, member, rejected(error))
  }
}
