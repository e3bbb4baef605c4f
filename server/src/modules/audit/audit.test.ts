import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveApp, bearer, connect, post, registerApp } from '#test/oauth/scene.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { personIn } from '#test/support/browser.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { sessionClient } from '#test/support/session-client.ts'
import { revokeApiKey } from '../access/public.ts'
import { createOffice } from '../workspaces/public.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

interface Entry {
  id: string
  type: string
  actor: { type: string; id: string | null; name: string }
  subject: { type: string; id: string }
  data: Record<string, unknown>
  occurred_at: string
}

const list = async (client: Client, query = ''): Promise<Entry[]> =>
  (await client.get(`/audit-log${query}`)).body['data']
const typesIn = async (client: Client, query = '') => (await list(client, query)).map(({ type }) => type)

/** An admin who has just signed in, with a client that sends requests like a page of this server. */
async function adminOf(workspace: TestWorkspace) {
  const person = await personIn(workspace, 'admin')
  return { person, client: await sessionClient(app, person, workspace.id) }
}

test('an entry shows its actor, type, subject, time, and a one-sentence summary', async () => {
  const workspace = await app.workspace()
  const reader = await workspace.credential()
  app.clock.advance(1000)
  const office = await createOffice(workspace.ctx, { name: 'Lakeside' })
  const at = app.clock.now().toISOString()
  const [entry] = await list(reader)
  expect(entry).toEqual({
    id: expect.stringMatching(/^c[a-z0-9]{24}$/),
    type: 'office.created',
    summary: 'An office was created',
    actor: { type: 'system', id: null, name: 'test' },
    subject: { type: 'office', id: office.id },
    data: { id: office.id },
    occurred_at: at,
    created_at: at,
    updated_at: at,
  })
})

test('the actor is the credential: a signed-in member, an API key or an app', async () => {
  const workspace = await app.workspace()
  const { person, client } = await adminOf(workspace)
  const key = await workspace.credential('webhooks:manage', 'settings:manage')
  const mirror = await registerApp(app)
  const tokens = await connect(app, workspace, mirror, { scopes: ['webhooks:manage'] })
  for (const each of [client, key, bearer(app, tokens.access_token)]) {
    const { id } = (await each.post('/webhooks', { url: 'https://hooks.example.com/gable' })).body
    await each.delete(`/webhooks/${id}`)
  }
  await post(app, 'revoke', { token: tokens.refresh_token })
  expect((await list(client)).slice(0, 7).map(({ type, actor }) => [type, actor.type, actor.id])).toEqual([
    ['grant.tokens_revoked', 'oauth_app', mirror.app.id],
    ['webhook.removed', 'oauth_app', mirror.app.id],
    ['webhook.created', 'oauth_app', mirror.app.id],
    ['webhook.removed', 'api_key', key.keyId],
    ['webhook.created', 'api_key', key.keyId],
    ['webhook.removed', 'member', person.member.id],
    ['webhook.created', 'member', person.member.id],
  ])
})

test('filters by type, actor, and time return only matching entries', async () => {
  const workspace = await app.workspace()
  const { person, client } = await adminOf(workspace)
  const key = await workspace.credential('webhooks:manage')
  const times: string[] = []
  for (const each of [client, key, client, key]) {
    app.clock.advance(60_000)
    times.push(app.clock.now().toISOString())
    const { id } = (await each.post('/webhooks', { url: 'https://hooks.example.com/gable' })).body
    await each.delete(`/webhooks/${id}`)
    await createOffice(workspace.ctx, { name: 'An office' })
  }
  expect(await typesIn(client, '?type=webhook.removed')).toEqual(Array(4).fill('webhook.removed'))
  const foreign = await list(client, `?actor_id=${person.member.id}`)
  expect(foreign.map(({ type, occurred_at }) => [type, occurred_at])).toEqual([
    ['webhook.removed', times[2]],
    ['webhook.created', times[2]],
    ['webhook.removed', times[0]],
    ['webhook.created', times[0]],
  ])
  expect(await list(client, '?actor_id=unknown')).toEqual([])
  const at = async (query: string) =>
    (await list(client, `?type=office.created&${query}`)).map(({ occurred_at }) => occurred_at)
  expect(await at(`since=${times[1]}`)).toEqual([times[3], times[2], times[1]])
  expect(await at(`before=${times[1]}`)).toEqual([times[0]])
  expect(await at(`since=${times[1]}&before=${times[3]}`)).toEqual([times[2], times[1]])
})

test.each([
  ['api_key.create', '"api_key.create" is not in the audit log; did you mean api_key.created?'],
  ['contact.created', '"contact.created" is not in the audit log'],
  ['note.added', '"note.added" is not in the audit log'],
])('returns 400 for the type %s, which is not in the audit log', async (type, message) => {
  expect(await (await app.credential()).get(`/audit-log?type=${type}`)).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'type', message }] } },
  })
})

test('the log omits ordinary contact and lead activity but includes erasures', async () => {
  const workspace = await app.workspace()
  const client = await workspace.credential()
  const before = await typesIn(client)
  const { id } = (await client.post('/contacts', { first_name: 'Ada', phone: '+13125550123' })).body
  await client.patch(`/contacts/${id}`, { stage: 'SPHERE' })
  await client.post(`/contacts/${id}/notes`, { body: 'Prefers mornings.' })
  await client.post('/leads', { phone: '+13125550123', source: 'Website' })
  expect(await typesIn(client)).toEqual(before)
  await client.delete(`/contacts/${id}`)
  const [entry] = await list(client)
  expect(entry).toMatchObject({ type: 'contact.erased', subject: { type: 'contact', id }, data: { id } })
})

test('entries contain no secrets', async () => {
  const workspace = await app.workspace()
  const owner = await workspace.credential()
  const key = await workspace.credential('webhooks:manage')
  await revokeApiKey(workspace.ctx, key.keyId ?? '')
  const url = 'https://hooks.example.com/services/T024BE7LD/a-secret-path'
  const webhook = (await owner.post('/webhooks', { url })).body
  const path = `/webhooks/${webhook['id']}`
  const rotated = (await owner.post(`${path}/rotate-secret`)).body
  await owner.patch(path, { url: `${url}/moved` })
  await owner.delete(path)
  const mirror = await registerApp(app)
  const { code } = await approveApp(workspace, mirror)
  const log = JSON.stringify(await list(owner, '?limit=200'))
  expect(log).toContain('hooks.example.com')
  for (const secret of [key.key, webhook['secret'], rotated['secret'], 'a-secret-path', mirror.secret, code])
    expect(log).not.toContain(secret)
})

test('only owners and admins can read the log; other roles get 403', async () => {
  const workspace = await app.workspace()
  for (const [role, status] of [
    ['owner', 200],
    ['admin', 200],
    ['agent', 403],
    ['developer', 403],
    ['compliance', 403],
  ] as const) {
    const client = await sessionClient(app, await personIn(workspace, role), workspace.id)
    expect([role, (await client.get('/audit-log')).status]).toEqual([role, status])
  }
})

test('the audit query uses its own index, even among 20,000 other events', async () => {
  const databaseUrl = await freshDatabase('audit')
  await using busy = await testApp({ databaseUrl })
  const workspace = await busy.workspace()
  await workspace.credential()
  await asOwner(
    databaseUrl,
    `insert into events (workspace_id, id, name, subject_type, subject_id, actor, data, occurred_at)
     select $1, 'c' || lpad(n::text, 24, '0'), 'contact.updated', 'contact', 'x', '{}', '{}', now()
     from generate_series(1, 20000) n`,
    [workspace.id],
  )
  await asOwner(databaseUrl, 'analyze events')
  const url = new URL(databaseUrl)
  url.searchParams.set('options', `-c role=gable_app -c gable.workspace_id=${workspace.id}`)
  const plan = await asOwner<{ 'QUERY PLAN': string }>(
    url.href,
    'explain select * from events where workspace_id = $1 and audit order by id desc limit 51',
    [workspace.id],
  )
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('using events_audit')
})
