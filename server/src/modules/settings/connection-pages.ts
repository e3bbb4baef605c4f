import type { House } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type AuditEntry,
  type NamedGrantRow,
  listAudit,
  listGrants,
  revokeGrant,
  stillAllowed,
} from '../oauth/public.ts'
import { type Part, day, html, moment, named, seeOther, table } from '../pages/public.ts'
import { listMembers } from '../workspaces/public.ts'
import { confirmation, deskPage } from './desk-page.ts'
import { type Desk, deskRoute } from './desk.ts'
import { scopeList } from './scope-parts.ts'

/** Which apps may act for a workspace, and the way to end it. */
export const connectionRoutes = (house: House): PlainRoute[] => [
  deskRoute(house, '/connections', { GET: listPage }),
  deskRoute(house, '/connections/:connection/revoke', { GET: askRevoke, POST: revoke }),
]

/** Lines of the log on the page; `gable grant log` has more. */
const logged = 100

async function listPage(desk: Desk): Promise<PlainAnswer> {
  const { ctx, base } = desk
  const [grants, members, log] = await Promise.all([
    liveGrants(desk),
    listMembers(ctx.db),
    listAudit(ctx.db, logged),
  ])
  const names = new Map(members.map(({ id, name }) => [id, name]))
  const rows = grants.map((grant) => [
    named(grant.app_name),
    scopesOf(grant),
    named(names.get(grant.member_id) ?? ''),
    day(grant.created_at),
    moment(grant.last_used_at),
    html`<a href="${base}/connections/${grant.id}/revoke">Disconnect</a>`,
  ])
  return deskPage(desk, 'connections', {
    title: 'Connected apps',
    main: html`<p>These apps act for this workspace, because somebody here has allowed it.</p>
${table(
  'Connected apps, newest first',
  ['App', 'May', 'Allowed by', 'Since', 'Last used', 'Take back'],
  rows,
  'No app may act for this workspace. One that wants to sends you here from its own site and asks; you decide then.',
)}
<h2>What happened</h2>
${table(
  `Apps and what they were allowed, the last ${logged} changes`,
  ['When', 'What', 'App', 'By'],
  log.map((entry) => logLine(desk, entry)),
  'Nothing yet. What apps are allowed, and what is taken back, is written down here.',
)}`,
  })
}

const scopesOf = ({ scopes, app_scopes }: NamedGrantRow): Part => {
  const held = stillAllowed(scopes, { scopes: app_scopes })
  return held.length === 0 ? html`<span class="muted">nothing any more</span>` : scopeList(held)
}

const logLine = ({ ctx }: Desk, { at, event, app_name, actor }: AuditEntry): Part[] => [
  moment(at),
  ctx.eventTypes.get(event)?.summary ?? event,
  named(app_name),
  actor.type === 'member' ? named(actor.name) : html`${actor.type.replaceAll('_', ' ')} ${named(actor.name)}`,
]

const liveGrants = ({ ctx, place }: Desk) => listGrants(ctx.directory, place.workspace.id, 'live')

const grantOf = async (desk: Desk): Promise<NamedGrantRow> =>
  found((await liveGrants(desk)).find(({ id }) => id === desk.id('connection')))

async function askRevoke(desk: Desk): Promise<PlainAnswer> {
  const { app_name, created_at } = await grantOf(desk)
  return confirmation(desk, 'connections', {
    title: 'Disconnect an app',
    text: html`<p>${named(app_name)} acts for this workspace since ${day(created_at)}. It stops from its next request on, its webhooks
here are removed, and none of its tokens ever works again. It can ask anew.</p>`,
    label: 'Disconnect the app',
    back: `${desk.base}/connections`,
  })
}

async function revoke(desk: Desk): Promise<PlainAnswer> {
  const { app_id } = await grantOf(desk)
  await revokeGrant(desk.ctx, app_id)
  return seeOther(`${desk.base}/connections`)
}
