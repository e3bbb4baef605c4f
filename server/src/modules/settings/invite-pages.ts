import type { House } from '#kernel/context.ts'
import { ValidationFailed, defineError, found } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { isId } from '#kernel/ids.ts'
import { field, html, seeOther } from '../pages/public.ts'
import {
  type Fields,
  type InvitationRow,
  inviteMember,
  listInvitations,
  listWhoSignsIn,
  revokeInvitation,
} from '../signin/public.ts'
import { type Role, findMember, listMembers, mayManage } from '../workspaces/public.ts'
import { deskForm, deskPage } from './desk-page.ts'
import { type Desk, buttonRoute, deskRoute } from './desk.ts'
import { type SettingsOptions, mailNote } from './member-list-page.ts'
import { type Refusal, nothingWrong, refusalOf } from './refusal.ts'
import { requireRole, roleChoices, roleIn } from './roles.ts'

const OwnersInvitation = defineError('forbidden', 403, () => ({
  message: 'Somebody is invited as an owner, which is for owners to decide.',
}))

/** Inviting people, and what becomes of open invitations. */
export const inviteRoutes = (house: House, options: SettingsOptions): PlainRoute[] => [
  deskRoute(house, '/members/invite', {
    GET: async (desk) => invitePage(desk, options, await suggested(desk)),
    POST: (desk, form) => invite(desk, form, options),
  }),
  buttonRoute(house, '/invitations/:invitation/send', membersPath, async (desk) =>
    inviteMember(desk.ctx, await invitationOf(desk), options.origin()),
  ),
  buttonRoute(house, '/invitations/:invitation/take-back', membersPath, async (desk) =>
    revokeInvitation(desk.ctx, (await invitationOf(desk)).id),
  ),
]

const membersPath = ({ base }: Desk) => `${base}/members`

interface Entered {
  name: string
  email: string
  role: Role
}

/** Of a member who cannot sign in yet, where the address names one. */
async function suggested({ ctx, query }: Desk): Promise<Entered> {
  const id = query.get('member') ?? ''
  const member = isId(id) ? await findMember(ctx.db, id) : undefined
  return member ?? { name: '', email: '', role: 'agent' }
}

const invitePage = (
  desk: Desk,
  options: SettingsOptions,
  { name, email, role }: Entered,
  { status, faults, message }: Refusal = nothingWrong,
): PlainAnswer =>
  deskPage(desk, 'members', {
    title: 'Invite somebody',
    status,
    main: html`${message}
<p>They get a mail with a link by which they choose a password, or join with the one they have.</p>
${deskForm(desk, {
  label: 'Send the invitation',
  back: membersPath(desk),
  fields: html`${field({ name: 'name', label: 'Name', value: name, fault: faults['name'], maxLength: 120 })}
${field({
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  value: email,
  fault: faults['email'],
  maxLength: 254,
})}
${roleChoices(desk.place.member.role, role, faults['role'])}`,
})}
${mailNote(options)}`,
  })

async function invite(desk: Desk, form: Fields, options: SettingsOptions): Promise<PlainAnswer> {
  const entered = { name: form.text('name').trim(), email: form.text('email').trim() }
  try {
    const role = requireRole(form.text('role'), desk.place.member.role)
    const invited = { ...entered, role: await roleOf(desk, entered.email, role) }
    await inviteMember(desk.ctx, invited, options.origin())
    return seeOther(membersPath(desk))
  } catch (error) {
    const role = roleIn(form.text('role')) ?? 'agent'
    return invitePage(desk, options, { ...entered, role }, refusalOf(error))
  }
}

/**
 * The role that somebody will have: of a member who cannot sign in yet the one they have. Throws ValidationFailed for one
 * who can, and for one whom only an owner may let in, or whom an owner has invited as one.
 */
async function roleOf({ ctx, place }: Desk, email: string, role: Role): Promise<Role> {
  const workspaceId = place.workspace.id
  const [members, open] = await Promise.all([
    listMembers(ctx.db),
    listInvitations(ctx.directory, workspaceId, ctx.clock.now()),
  ])
  const isTheirs = (one: { email: string }) => one.email.toLowerCase() === email.toLowerCase()
  const known = members.find(isTheirs)
  if (
    [known, open.find(isTheirs)].some((one) => one !== undefined && !mayManage(place.member.role, one.role))
  )
    throw ValidationFailed([{ path: 'email', message: 'is that of an owner, whom only owners let in' }])
  if (known === undefined) return role
  if (!known.active) return role
  const signingIn = await listWhoSignsIn(ctx.directory, workspaceId)
  if (signingIn.some(({ member_id }) => member_id === known.id))
    throw ValidationFailed([{ path: 'email', message: 'is that of a member who can sign in already' }])
  return known.role
}

/** An open invitation, which whoever asks may decide about. */
async function invitationOf({ ctx, place, id }: Desk): Promise<InvitationRow> {
  const open = await listInvitations(ctx.directory, place.workspace.id, ctx.clock.now())
  const invitation = found(open.find((one) => one.id === id('invitation')))
  if (!mayManage(place.member.role, invitation.role)) throw OwnersInvitation()
  return invitation
}
