import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { type InvitationRow, listInvitations } from '../invitations/public.ts'
import { type Part, html, moment, named, table } from '../pages/public.ts'
import { listWhoSignsIn } from '../people/public.ts'
import { type MemberRow, listMembers, mayManage } from '../workspaces/public.ts'
import { button, settingsPage } from './settings-page.ts'
import { type SettingsRequest, settingsRoute } from './settings-route.ts'

export interface SettingsOptions {
  /** Whether a mail server is configured. */
  sendsMail: boolean
}

/** Lists members and open invitations. */
export const memberListRoutes = (runtime: Runtime, options: SettingsOptions): PlainRoute[] => [
  settingsRoute(runtime, '/members', { GET: (request) => listPage(request, options) }),
]

async function listPage(request: SettingsRequest, options: SettingsOptions): Promise<PlainResponse> {
  const { ctx, membership, base } = request
  const workspaceId = membership.workspace.id
  const [members, signingIn, invitations] = await Promise.all([
    listMembers(ctx.db),
    listWhoSignsIn(ctx.directory, workspaceId),
    listInvitations(ctx.directory, workspaceId, ctx.clock.real.now()),
  ])
  const signsIn = new Set(signingIn.map(({ member_id }) => member_id))
  return settingsPage(request, 'members', {
    title: 'Members',
    main: html`<p class="buttons"><a class="button primary" href="${base}/members/invite">Invite member</a></p>
${table(
  'Members',
  ['Name', 'Email address', 'Role', 'Can sign in', 'Status'],
  members.map((member) => memberLine(request, member, signsIn.has(member.id))),
  'No members yet.',
)}
<h2>Open invitations</h2>
${table(
  'Open invitations, newest first',
  ['Name', 'Email address', 'Role', 'Expires', 'Actions'],
  invitations.map((invitation) => invitationLine(request, invitation)),
  'No open invitations.',
)}
${mailNote(options)}`,
  })
}

const memberLine = (
  { base, membership }: SettingsRequest,
  { id, name, email, role, active }: MemberRow,
  signsIn: boolean,
): Part[] => [
  html`<a href="${base}/members/${id}">${named(name)}</a>${id === membership.member.id ? ' (you)' : ''}`,
  named(email),
  role,
  signsIn ? 'yes' : html`<span class="muted">no</span>`,
  memberState(active),
]

export const memberState = (active: boolean): Part =>
  active ? html`<span class="badge good">active</span>` : html`<span class="badge">deactivated</span>`

const invitationLine = (
  request: SettingsRequest,
  { id, name, email, role, expires_at }: InvitationRow,
): Part[] => {
  const path = `${request.base}/invitations/${id}`
  const buttons = [button(request, `${path}/send`, 'Resend'), button(request, `${path}/revoke`, 'Revoke')]
  return [
    named(name),
    named(email),
    role,
    moment(expires_at),
    mayManage(request.membership.member.role, role) ? buttons : html`<span class="muted">owners only</span>`,
  ]
}

/** Explains where to find emails if no mail server is configured. */
export const mailNote = ({ sendsMail }: SettingsOptions): Part =>
  sendsMail
    ? ''
    : html`<p class="muted">No mail server is configured. The operator of this server can read the emails with
<code>npm run -s gable -- mail list</code>.</p>`
