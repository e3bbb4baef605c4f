import type { Runtime } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { isId } from '#kernel/ids.ts'
import { findOpenInvitation, inviteMember, revokeInvitation } from '../invitations/public.ts'
import { type FormFields, field, html, seeOther } from '../pages/public.ts'
import { type Role, findMember } from '../workspaces/public.ts'
import { type FormState, untouched, rejected } from './form-state.ts'
import { type SettingsOptions, mailNote } from './member-list-page.ts'
import { requireRole, roleChoices, roleIn } from './roles.ts'
import { settingsForm, settingsPage } from './settings-page.ts'
import { type SettingsRequest, buttonRoute, settingsRoute } from './settings-route.ts'

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
  buttonRoute(runtime, '/invitations/:invitation/send', membersPath, send, 'form'),
  buttonRoute(
    runtime,
    '/invitations/:invitation/revoke',
    membersPath,
    ({ ctx, id }) => revokeInvitation(ctx, id('invitation')),
    'form',
  ),
]

const membersPath = ({ base }: SettingsRequest) => `${base}/members`

interface Entered {
  name: string
  email: string
  role: Role
}

/** Returns the member that the query names, to prefill the form; empty values if there is none. */
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
    await inviteMember(request.ctx, { ...entered, role })
    return seeOther(membersPath(request))
  } catch (error) {
    const role = roleIn(form.text('role')) ?? 'agent'
    return invitePage(request, options, { ...entered, role }, rejected(error))
  }
}

async function send({ ctx, membership, id }: SettingsRequest): Promise<void> {
  const now = ctx.clock.real.now()
  const open = await findOpenInvitation(ctx.directory, membership.workspace.id, id('invitation'), now)
  await inviteMember(ctx, orNotFound(open))
}
