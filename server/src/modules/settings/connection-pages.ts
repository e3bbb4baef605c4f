import type { Runtime } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import type { AuditEntry } from '../audit/public.ts'
import {
  type NamedGrantRow,
  appOfEntry,
  findGrant,
  listAppAudit,
  listLiveGrants,
  revokeGrant,
  scopesInForce,
} from '../oauth/public.ts'
import { type Part, day, html, moment, named, seeOther, table } from '../pages/public.ts'
import { listMembers } from '../workspaces/public.ts'
import { scopeList } from './scope-parts.ts'
import { confirmation, settingsPage } from './settings-page.ts'
import { type SettingsRequest, settingsRoute } from './settings-route.ts'

/** Lists and disconnects the apps that can access a workspace. */
export const connectionRoutes = (runtime: Runtime): PlainRoute[] => [
  settingsRoute(runtime, '/connections', { GET: listPage }),
  settingsRoute(runtime, '/connections/:connection/revoke', { GET: askRevoke, POST: revoke }),
]

/** Log entries on the page; `gable audit-log list` lists more. */
const logged = 100

async function listPage(request: SettingsRequest): Promise<PlainResponse> {
  const { ctx, membership, base } = request
  const [grants, members, log] = await Promise.all([
    listLiveGrants(ctx.directory, membership.workspace.id),
    listMembers(ctx.db),
    listAppAudit(ctx, logged),
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
  return settingsPage(request, 'connections', {
    title: 'Connected apps',
    main: html`<p>An owner or admin gave these apps access to this workspace.</p>
${table(
  'Connected apps, newest first',
  ['App', 'Scopes', 'Approved by', 'Since', 'Last used', 'Access'],
  rows,
  'No connected apps. To connect an app, start from its own site.',
)}
<h2>Log</h2>
${table(
  `Changes of apps and their access, the last ${logged}`,
  ['Time', 'Event', 'App', 'By'],
  log.map(logLine),
  'No entries yet.',
)}`,
  })
}

function scopesOf(grant: NamedGrantRow): Part {
  const held = scopesInForce(grant)
  return held.length === 0 ? html`<span class="muted">none</span>` : scopeList(held)
}

function logLine(entry: AuditEntry): Part[] {
  const { occurred_at, summary, actor } = entry
  const who = named(actor.name)
  return [
    moment(occurred_at),
    summary,
    named(appOfEntry(entry).name),
    actor.type === 'member' ? who : html`${actor.type.replaceAll('_', ' ')} ${who}`,
  ]
}

async function askRevoke(request: SettingsRequest): Promise<PlainResponse> {
  const { ctx, membership, id } = request
  const grant = await findGrant(ctx.directory, membership.workspace.id, id('connection'))
  const { app_name, created_at } = orNotFound(grant)
  return confirmation(request, 'connections', {
    title: 'Disconnect app',
    text: html`<p>${named(app_name)} has had access to this workspace since ${day(created_at)}. It loses access, starting with its next request: Gable revokes its tokens and removes its webhooks here. It can request access again.</p>`,
    label: 'Disconnect app',
    back: `${request.base}/connections`,
  })
}

async function revoke({ ctx, base, id }: SettingsRequest): Promise<PlainResponse> {
  await revokeGrant(ctx, id('connection'))
  return seeOther(`${base}/connections`)
}
