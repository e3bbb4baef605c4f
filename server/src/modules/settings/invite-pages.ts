import type { Runtime } from '#kernel/context.ts'
import { ValidationFailed, defineError, found } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { isId } from '#kernel/ids.ts'
import { type InvitationRow, inviteMember, listInvitations, revokeInvitation } from '../invitations/public.ts'
import { type FormFields, field, html, seeOther } from '../pages/public.ts'
import { listWhoSignsIn } from '../people/public.ts'
import { type Role, findMember, listMembers, mayManage } from '../workspaces/public.ts'
import { type FormState, untouched, rejected } from './form-state.ts'
import { type SettingsOptions, mailNote } from './member-list-page.ts'
import { requireRole, roleChoices, roleIn } from './roles.ts'
import { settingsForm, settingsPage } from './settings-page.ts'
import { type SettingsRequest, buttonRoute, settingsRoute } from './settings-route.ts'

const OwnersInvitation = defineError('forbidden', 403, () => ({
  message: 'Only owners can manage invitations of owners.',
}))

/** Invites people, and manages open invitations. */
export const inviteRoutes = (runtime: Runtime, options: SettingsOptions): PlainRoute[] => [
  settingsRoute(
    runtime,
    '/members/invite',
    {
      GET: async (request) => invitePage(request, options, await suggested(request)),
      POST: (request, form) => invite(request, form, options),
    },
    'page',
  ),
  buttonRoute(
    runtime,
    '/invitations/:invitation/send',
    membersPath,
    async (request) => inviteMember(request.ctx, await invitationOf(request)),
    'form',
  ),
  buttonRoute(
    runtime,
    '/invitations/:invitation/revoke',
    membersPath,
    async (request) => revokeInvitation(request.ctx, (await invitationOf(request)).id),
    'form',
  ),
]

const membersPath = ({ base }: SettingsRequest) => `${base}/members`

interface Entered {
  name: string
  email: string
  role: Role
}

/** The member that the query names, to fill in the form. */
async function suggested({ ctx, query }: SettingsRequest): Promise<Entered> {
  const id = query.get('member') ?? ''
  const member = isId(id) ? await findMember(ctx.db, id) : undefined
  return member ?? { name: '', email: '', role: 'agent' }
}

const invitePage = (
  request: SettingsRequest,
  options: SettingsOptions,
  { name, email, role }: Entered,
  { status, errors, message }: FormState = untouched,
): PlainResponse =>
  settingsPage(request, 'members', {
    title: 'Invite a member',
    status,
    main: html`${message}
<p>We email them a link to join this workspace.</p>
${settingsForm(request, {
  label: 'Send invitation',
  back: membersPath(request),
  fields: html`${field({ name: 'name', label: 'Name', value: name, error: errors['name'], maxLength: 120 })}
${field({
  name: 'email',
  label: 'Email address',
  type: 'email',
  value: email,
  error: errors['email'],
  maxLength: 254,
})}
${roleChoices(request.membership.member.role, role, errors['role'])}`,
})}
${mailNote(options)}`,
  })

async function invite(
  request: SettingsRequest,
  form: FormFields,
  options: SettingsOptions,
): Promise<PlainResponse> {
  const entered = { name: form.text('name').trim(), email: form.text('email').trim() }
  try {
    const role = requireRole(form.text('role'), request.membership.member.role)
    const invited = { ...entered, role: await roleOf(request, entered.email, role) }
    await inviteMember(request.ctx, invited)
    return seeOther(membersPath(request))
  } catch (error) {
    const role = roleIn(form.text('role')) ?? 'agent'
    return invitePage(request, options, { ...entered, role }, rejected(error))
  }
}

/**
 * Returns the role that the invited person will have: an existing member keeps theirs. Throws `ValidationFailed` for a
 * member who can already sign in, and for owners if the person is none.
 */
async function roleOf({ ctx, membership }: SettingsRequest, email: string, role: Role): Promise<Role> {
  const workspaceId = membership.workspace.id
  const [members, open] = await Promise.all([
    listMembers(ctx.db),
    listInvitations(ctx.directory, workspaceId, ctx.clock.now()),
  ])
  const isTheirs = (one: { email: string }) => one.email.toLowerCase() === email.toLowerCase()
  const known = members.find(isTheirs)
  if (
    [known, open.find(isTheirs)].some(
      (one) => one !== undefined && !mayManage(membership.member.role, one.role),
    )
  )
    throw ValidationFailed([{ path: 'email', message: 'belongs to an owner; only owners can invite owners' }])
  if (known === undefined) return role
  if (!known.active) return role
  const signingIn = await listWhoSignsIn(ctx.directory, workspaceId)
  if (signingIn.some(({ member_id }) => member_id === known.id))
    throw ValidationFailed([{ path: 'email', message: 'belongs to a member who can already sign in' }])
  return known.role
}

/** An open invitation that the person may manage. */
async function invitationOf({ ctx, membership, id }: SettingsRequest): Promise<InvitationRow> {
  const open = await listInvitations(ctx.directory, membership.workspace.id, ctx.clock.now())
  const invitation = found(open.find((one) => one.id === id('invitation')))
  if (!mayManage(membership.member.role, invitation.role)) throw OwnersInvitation()
  return invitation
}
