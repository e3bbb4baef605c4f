import type { Runtime } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type ApiKeyRow,
  apiKeyOf,
  createApiKey,
  defaultLifetimeDays,
  listApiKeys,
  maxLifetimeDays,
  revokeApiKey,
} from '../access/public.ts'
import {
  type FieldErrors,
  type FormFields,
  type Part,
  day,
  field,
  fieldErrorsOf,
  html,
  moment,
  named,
  seeOther,
  select,
  shownOnce,
  table,
} from '../pages/public.ts'
import { listMembers } from '../workspaces/public.ts'
import { scopeChoices, scopeNames } from './scope-parts.ts'
import { confirmation, settingsForm, settingsPage } from './settings-page.ts'
import { type SettingsRequest, settingsRoute } from './settings-route.ts'

/** Lists, creates and revokes API keys. */
export const keyRoutes = (runtime: Runtime): PlainRoute[] => [
  settingsRoute(runtime, '/keys', { GET: listPage }),
  settingsRoute(
    runtime,
    '/keys/new',
    { GET: async (request) => newPage(request, blank), POST: create },
    'page',
  ),
  settingsRoute(runtime, '/keys/:key/revoke', { GET: askRevoke, POST: revoke }),
]

async function listPage({ base, ...request }: SettingsRequest): Promise<PlainResponse> {
  const { ctx, membership } = request
  const [keys, members] = await Promise.all([
    listApiKeys(ctx.directory, membership.workspace.id),
    listMembers(ctx.db),
  ])
  const names = new Map(members.map(({ id, name }) => [id, name]))
  const now = ctx.clock.real.now().toISOString()
  const rows = keys.map((key) => [
    named(key.name),
    html`<code>${key.prefix}…</code>`,
    actsFor(key, names),
    scopeNames(key.scopes),
    day(key.created_at),
    moment(key.last_used_at),
    day(key.expires_at),
    stateOf(key, now) ?? html`<a href="${base}/keys/${key.id}/revoke">Revoke</a>`,
  ])
  return settingsPage(request, 'keys', {
    title: 'API keys',
    main: html`<p>API keys give your own programs access to this workspace through the <a href="/docs">API</a>.</p>
<p class="buttons"><a class="button primary" href="${base}/keys/new">Create API key</a></p>
${table(
  'API keys, newest first',
  ['Name', 'Key', 'Acts for', 'Scopes', 'Created', 'Last used', 'Expires', 'Status'],
  rows,
  'No API keys yet. Create one for each program, such as a website form or a report.',
)}`,
  })
}

const actsFor = ({ member_id, created_by_self }: ApiKeyRow, names: ReadonlyMap<string, string>): Part => {
  if (member_id !== null) return named(names.get(member_id) ?? '')
  return html`<span class="muted">${created_by_self ? 'itself' : 'the workspace'}</span>`
}

/** Why a key does not work; undefined if it works. */
function stateOf({ revoked_at, expires_at }: ApiKeyRow, now: string): Part | undefined {
  if (revoked_at !== null) return html`<span class="muted">revoked</span>`
  return expires_at !== null && expires_at <= now ? html`<span class="muted">expired</span>` : undefined
}

const itself = 'itself'

interface Entered {
  name: string
  scopes: readonly string[]
  days: string
  never: boolean
  /** The id of the member that the key acts for, or `itself`; empty for the workspace. */
  member: string
}

const blank: Entered = { name: '', scopes: [], days: String(defaultLifetimeDays), never: false, member: '' }

async function newPage(
  request: SettingsRequest,
  { name, scopes, days, never, member }: Entered,
  errors: FieldErrors = {},
): Promise<PlainResponse> {
  const members = (await listMembers(request.ctx.db)).filter(({ active }) => active)
  return settingsPage(request, 'keys', {
    title: 'Create an API key',
    status: Object.keys(errors).length === 0 ? 200 : 400,
    main: settingsForm(request, {
      label: 'Create API key',
      back: `${request.base}/keys`,
      fields: html`${field({
        name: 'name',
        label: 'Name',
        value: name,
        hint: 'The program that uses it, such as “Website form”.',
        error: errors['name'],
        maxLength: 120,
      })}
${select({
  name: 'member_id',
  label: 'Acts for',
  value: member,
  hint: 'A key that acts for a member has no more than their role and sees only their records. One that acts for itself sees only the leads and contacts that it created.',
  error: errors['member_id'],
  options: new Map([
    ['', 'The workspace'],
    [itself, 'Itself: what it created'],
    ...members.map(({ id, name: of, role }): [string, string] => [id, `${of} (${role})`]),
  ]),
})}
${scopeChoices('Scopes', scopes, errors['scopes'])}
${field({
  name: 'expires_in_days',
  label: 'Expires after (days)',
  type: 'number',
  value: days,
  hint: `1 to ${maxLifetimeDays}.`,
  error: errors['expires_in_days'],
})}
${
  request.membership.member.role === 'owner'
    ? html`<p class="check"><label><input type="checkbox" name="never" value="yes"${never ? html` checked` : ''}>
<span>Never expires (not recommended)</span></label></p>`
    : ''
}`,
    }),
  })
}

async function create(request: SettingsRequest, form: FormFields): Promise<PlainResponse> {
  const { ctx, base } = request
  const entered: Entered = {
    name: form.text('name').trim(),
    scopes: form.all('scopes'),
    days: form.text('expires_in_days').trim(),
    never: form.text('never') === 'yes',
    member: form.text('member_id'),
  }
  try {
    const { name, scopes, days, never, member } = entered
    const draft = {
      name,
      scopes,
      expires_in_days: never ? null : wholeNumber(days),
      member_id: member === '' || member === itself ? null : member,
      created_by_self: member === itself,
    }
    const { key, row } = await createApiKey(ctx, draft)
    return settingsPage(request, 'keys', {
      title: 'Your new API key',
      main: html`${shownOnce('The key', key)}
<p>${named(row.name)} works until ${moment(row.expires_at, 'you revoke it')}. Send the key with each request in the header
<code>Authorization: token …</code></p>
<p><a href="${base}/keys">All API keys</a></p>`,
    })
  } catch (error) {
    return newPage(request, entered, fieldErrorsOf(error))
  }
}

const wholeNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

const keyOf = async ({ ctx, membership, id }: SettingsRequest) =>
  orNotFound(await apiKeyOf(ctx.directory, membership.workspace.id, id('key')))

async function askRevoke(request: SettingsRequest): Promise<PlainResponse> {
  const { name, prefix, last_used_at } = await keyOf(request)
  return confirmation(request, 'keys', {
    title: 'Revoke API key',
    text: html`<p>${named(name)} (<code>${prefix}…</code>) was last used: ${moment(last_used_at)}. Programs that use it lose access, starting with their next request. This cannot be undone.</p>`,
    label: 'Revoke API key',
    back: `${request.base}/keys`,
  })
}

async function revoke({ ctx, base, id }: SettingsRequest): Promise<PlainResponse> {
  await revokeApiKey(ctx, id('key'))
  return seeOther(`${base}/keys`)
}
