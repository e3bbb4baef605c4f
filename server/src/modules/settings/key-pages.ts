import type { House } from '#kernel/context.ts'
import { ValidationFailed, found } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type ApiKeyRow,
  apiKeyOf,
  createApiKey,
  defaultLifetimeDays,
  listApiKeys,
  maxLifetimeDays,
  revokeApiKey,
} from '../access/public.ts'
import { type Part, day, field, html, moment, named, seeOther, shownOnce, table } from '../pages/public.ts'
import { type Faults, type Fields, faultsOf, signedInAnew } from '../signin/public.ts'
import { confirmation, deskForm, deskPage } from './desk-page.ts'
import { type Desk, deskRoute } from './desk.ts'
import { scopeChoices, scopeNames } from './scope-parts.ts'

/** A workspace's API keys. */
export const keyRoutes = (house: House): PlainRoute[] => [
  deskRoute(house, '/keys', { GET: listPage }),
  deskRoute(house, '/keys/new', { GET: async (desk) => newPage(desk, blank), POST: create }, signedInAnew),
  deskRoute(house, '/keys/:key/revoke', { GET: askRevoke, POST: revoke }),
]

async function listPage({ base, ...desk }: Desk): Promise<PlainAnswer> {
  const { ctx, place } = desk
  const keys = await listApiKeys(ctx.directory, place.workspace.id)
  const now = ctx.clock.now().toISOString()
  const rows = keys.map((key) => [
    named(key.name),
    html`<code>${key.prefix}…</code>`,
    scopeNames(key.scopes),
    day(key.created_at),
    moment(key.last_used_at),
    day(key.expires_at),
    stateOf(key, now) ?? html`<a href="${base}/keys/${key.id}/revoke">Revoke</a>`,
  ])
  return deskPage(desk, 'keys', {
    title: 'API keys',
    main: html`<p>With a key, programs of yours reach the <a href="/docs">API</a> on behalf of this workspace.</p>
<p class="buttons"><a class="button primary" href="${base}/keys/new">Create a key</a></p>
${table(
  'API keys, newest first',
  ['Name', 'Key', 'May', 'Created', 'Last used', 'Expires', 'State'],
  rows,
  'There are no keys yet. Create one for each program that works with this workspace: a website form, a report, a script.',
)}`,
  })
}

/** Why a key does not work; undefined for one that does. */
function stateOf({ revoked_at, expires_at }: ApiKeyRow, now: string): Part | undefined {
  if (revoked_at !== null) return html`<span class="muted">revoked</span>`
  return expires_at !== null && expires_at <= now ? html`<span class="muted">expired</span>` : undefined
}

interface Entered {
  name: string
  scopes: readonly string[]
  days: string
  never: boolean
}

const blank: Entered = { name: '', scopes: [], days: String(defaultLifetimeDays), never: false }

const newPage = (desk: Desk, { name, scopes, days, never }: Entered, faults: Faults = {}): PlainAnswer =>
  deskPage(desk, 'keys', {
    title: 'Create an API key',
    status: Object.keys(faults).length === 0 ? 200 : 400,
    main: deskForm(desk, {
      label: 'Create the key',
      back: `${desk.base}/keys`,
      fields: html`${field({
        name: 'name',
        label: 'Name',
        value: name,
        hint: 'Who or what uses it, such as “Website form”.',
        fault: faults['name'],
        maxLength: 120,
      })}
${scopeChoices('What it may do', scopes, faults['scopes'])}
${field({
  name: 'expires-days',
  label: 'Days until it expires',
  type: 'number',
  value: days,
  hint: `1 to ${maxLifetimeDays}.`,
  fault: faults['expires-days'],
})}
${
  desk.place.member.role === 'owner'
    ? html`<p class="check"><label><input type="checkbox" name="never" value="yes"${never ? html` checked` : ''}>
<span>It never expires. Think twice: nobody will notice when it is lost.</span></label></p>`
    : ''
}`,
    }),
  })

async function create(desk: Desk, form: Fields): Promise<PlainAnswer> {
  const { ctx, place, base } = desk
  const entered: Entered = {
    name: form.text('name').trim(),
    scopes: form.all('scopes'),
    days: form.text('expires-days').trim(),
    never: form.text('never') === 'yes',
  }
  try {
    const draft = { ...entered, workspaceId: place.workspace.id, lifetimeDays: lifetimeOf(desk, entered) }
    const { key, row } = await createApiKey(ctx.directory, draft, ctx.clock.now())
    return deskPage(desk, 'keys', {
      title: 'Your new API key',
      main: html`${shownOnce('The key', key)}
<p>It belongs to ${named(row.name)} and works until ${moment(row.expires_at, 'it is revoked')}. Programs send it with each
request, in a header: <code>Authorization: token …</code></p>
<p><a href="${base}/keys">All API keys</a></p>`,
    })
  } catch (error) {
    return newPage(desk, entered, faultsOf(error))
  }
}

/** Whole days; NaN for what is no number of them, and null for never, which only an owner may say. */
function lifetimeOf({ place }: Desk, { days, never }: Entered): number | null {
  if (!never) return /^\d+$/.test(days) ? Number(days) : Number.NaN
  if (place.member.role === 'owner') return null
  throw ValidationFailed([
    { path: 'expires-days', message: 'must be set: only an owner makes keys without an end' },
  ])
}

const keyOf = async ({ ctx, place, id }: Desk) =>
  found(await apiKeyOf(ctx.directory, place.workspace.id, id('key')))

async function askRevoke(desk: Desk): Promise<PlainAnswer> {
  const { name, prefix, last_used_at } = await keyOf(desk)
  return confirmation(desk, 'keys', {
    title: 'Revoke an API key',
    text: html`<p>${named(name)} (<code>${prefix}…</code>) was last used: ${moment(last_used_at)}. Whatever uses it is refused
from its next request on, and a revoked key never works again.</p>`,
    label: 'Revoke the key',
    back: `${desk.base}/keys`,
  })
}

async function revoke({ ctx, place, base, id }: Desk): Promise<PlainAnswer> {
  await revokeApiKey(ctx.directory, place.workspace.id, id('key'), ctx.clock.now())
  return seeOther(`${base}/keys`)
}
