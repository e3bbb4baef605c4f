import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { type Part, html, moment, named, table } from '../pages/public.ts'
import { type InvitationRow, listInvitations, listWhoSignsIn } from '../signin/public.ts'
import { type MemberRow, listMembers, mayManage } from '../workspaces/public.ts'
import { button, deskPage } from './desk-page.ts'
import { type Desk, deskRoute } from './desk.ts'

export interface SettingsOptions {
  /** The address that others reach this server under, without a trailing slash; known once it listens. */
  origin: () => string
  /** Whether mails go out. Otherwise they wait where only an operator sees them. */
  sendsMail: boolean
}

/** Who is in a workspace, and who has been invited. */
export const memberListRoutes = (house: House, options: SettingsOptions): PlainRoute[] => [
  deskRoute(house, '/members', { GET: (desk) => listPage(desk, options) }),
]

async function listPage(desk: Desk, options: SettingsOptions): Promise<PlainAnswer> {
  const { ctx, place, base } = desk
  const workspaceId = place.workspace.id
  const [members, signingIn, invitations] = await Promise.all([
    listMembers(ctx.db),
    listWhoSignsIn(ctx.directory, workspaceId),
    listInvitations(ctx.directory, workspaceId, ctx.clock.now()),
  ])
  const signsIn = new Set(signingIn.map(({ member_id }) => member_id))
  return deskPage(desk, 'members', {
    title: 'Members',
    main: html`<p class="buttons"><a class="button primary" href="${base}/members/invite">Invite somebody</a></p>
${table(
  'Members',
  ['Name', 'E-mail address', 'Role', 'Signs in', 'State'],
  members.map((member) => memberLine(desk, member, signsIn.has(member.id))),
  'Nobody is a member yet.',
)}
<h2>Open invitations</h2>
${table(
  'Open invitations, newest first',
  ['Name', 'E-mail address', 'Role', 'Works until', 'Change'],
  invitations.map((invitation) => invitationLine(desk, invitation)),
  'Nobody is invited at the moment. An invitation goes out by mail, works once, and for seven days.',
)}
${mailNote(options)}`,
  })
}

const memberLine = (
  { base, place }: Desk,
  { id, name, email, role, active }: MemberRow,
  signsIn: boolean,
): Part[] => [
  html`<a href="${base}/members/${id}">${named(name)}</a>${id === place.member.id ? ' (you)' : ''}`,
  named(email),
  role,
  signsIn ? 'yes' : html`<span class="muted">no</span>`,
  memberState(active),
]

export const memberState = (active: boolean): Part =>
  active ? html`<span class="badge good">active</span>` : html`<span class="badge">deactivated</span>`

const invitationLine = (desk: Desk, { id, name, email, role, expires_at }: InvitationRow): Part[] => {
  const path = `${desk.base}/invitations/${id}`
  const buttons = [button(desk, `${path}/send`, 'Send again'), button(desk, `${path}/take-back`, 'Take back')]
  return [
    named(name),
    named(email),
    role,
    moment(expires_at),
    mayManage(desk.place.member.role, role) ? buttons : html`<span class="muted">an owner may</span>`,
  ]
}

/** Where mails are, on a server that sends none. */
export const mailNote = ({ sendsMail }: SettingsOptions): Part =>
  sendsMail
    ? ''
    : html`<p class="muted">This server has no mail server set up: mails wait until whoever runs it looks, with
<code>npm run -s gable -- mail list</code>.</p>`
