import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findSealedConnection } from '../../src/modules/senders/connection-queries.ts'
import { createSender, listConnections, openAccount } from '../../src/modules/senders/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { type User, anOwner, issuesIn, textOf } from './scene.ts'

const opened = new AsyncDisposableStack()
let carrier: SimulatedCarrier
let app: TestApp
let owner: User

beforeAll(async () => {
  carrier = opened.use(await startCarrier({ host: '127.0.0.1', port: 0, now: () => app.clock.now() }))
  app = opened.use(await testApp({ simulatedCarrierUrl: carrier.origin }))
})
beforeEach(async () => void (owner = await anOwner(app)))
afterAll(() => opened.disposeAsync())

const list = () => `${owner.base}/voice`
const retell = { name: 'AI calls', account: 'agent_1', api_key: 'the-key' }

async function connected() {
  const { ctx } = owner.workspace
  const [connection] = await listConnections(ctx.directory, ctx.workspaceId)
  if (connection === undefined) throw new Error('Nothing is connected.')
  return connection
}

const account = async (id: string) => openAccount({ ...owner.workspace.ctx, clock: app.clock }, id)

test('an owner connects Retell and Twilio; the page shows the callback URL but no key', async () => {
  expect(textOf(await owner.get(list()))).toContain('No providers yet.')
  expect(await owner.submit(`${list()}/retell`, retell)).toMatchObject({ status: 303, location: list() })
  const { id, provider, simulated } = await connected()
  expect([provider, simulated]).toEqual(['retell', false])
  expect((await account(id))?.secrets).toEqual(['the-key'])
  await owner.submit(`${list()}/twilio`, { name: 'People', account: 'AC1', auth_token: 'the-token' })
  const page = await owner.get(list())
  expect(textOf(page)).toContain(`AI calls Retell agent_1 ${app.url}/callbacks/retell/${id} connected`)
  expect(textOf(page)).toContain('People Twilio AC1')
  for (const path of [list(), `${list()}/${id}`])
    expect((await owner.get(path)).body).not.toMatch(/the-key|the-token/)
})

test('an empty key or a key with a space is rejected with the reason', async () => {
  for (const api_key of ['two words', '']) {
    const visited = await owner.submit(`${list()}/retell`, { ...retell, api_key })
    expect([visited.status, issuesIn(visited)]).toEqual([400, { api_key: 'It is required, without spaces.' }])
  }
})

test('a new key replaces the old one, which is kept as the previous key', async () => {
  await owner.submit(`${list()}/retell`, retell)
  const { id } = await connected()
  await owner.submit(`${list()}/${id}`, { name: 'Calls', api_key: 'new' })
  expect((await account(id))?.secrets).toEqual(['new', 'the-key'])
  expect((await connected()).name).toBe('Calls')
})

test('a test records whether the provider accepts the credentials', async () => {
  // The simulated carrier stands in for the providers.
  await owner.submit(`${list()}/twilio`, { name: 'People', account: 'AC1', auth_token: 'one' })
  const { id } = await connected()
  await asOwner(app.databaseUrl, 'update connections set simulated = true where id = $1', [id])
  const { ctx } = owner.workspace
  const agent = await owner.workspace.credential('settings:manage')
  const tested = async (one: string) => (await agent.post(`/connections/${one}/test`)).body
  expect(await tested(id)).toEqual({ id, result: 'accepted' })
  expect(await connected()).toMatchObject({ tested_at: expect.any(String), credentials_rejected_at: null })
  await owner.submit(`${list()}/retell`, retell)
  const other = await connected()
  await asOwner(app.databaseUrl, 'update connections set simulated = true where id = $1', [other.id])
  expect(await tested(other.id)).toMatchObject({ result: 'accepted' })
  const secret = ctx.keys.seal('connections', 'two', id)
  await asOwner(app.databaseUrl, 'update connections set secret = $2 where id = $1', [id, secret])
  expect(await tested(id)).toMatchObject({ result: 'rejected' })
  await asOwner(app.databaseUrl, 'update connections set simulated = false where id = $1', [id])
  expect(textOf(await owner.get(list()))).toContain('credentials rejected')
})

test('testing a provider that cannot be reached changes nothing', async () => {
  await owner.submit(`${list()}/retell`, retell)
  const before = await connected()
  const visited = await owner.submit(list(), {}, `${list()}/${before.id}/test`)
  expect(visited).toMatchObject({ status: 303, location: list() })
  const agent = await owner.workspace.credential('settings:manage')
  expect((await agent.post(`/connections/${before.id}/test`)).body).toMatchObject({ result: 'unreachable' })
  expect(await connected()).toEqual(before)
})

test('a disconnected provider has no credentials, rejects callbacks, and can be reconnected', async () => {
  await owner.submit(`${list()}/retell`, retell)
  const { id } = await connected()
  const path = `${list()}/${id}/disconnect`
  expect(textOf(await owner.get(path))).toContain('Gable deletes its credentials')
  expect(await owner.submit(path, {})).toMatchObject({ status: 303, location: list() })
  expect(await account(id)).toBeUndefined()
  const agent = await owner.workspace.credential('settings:manage')
  expect(await agent.post(`/connections/${id}/test`)).toMatchObject({
    status: 409,
    body: { error: { code: 'connection_disconnected' } },
  })
  expect((await findSealedConnection(owner.workspace.ctx.directory, id))?.secret).toHaveLength(0)
  expect((await fetch(`${app.url}/callbacks/retell/${id}`, { method: 'POST', body: '{}' })).status).toBe(403)
  expect(textOf(await owner.get(list()))).toContain('disconnected Since')
  await owner.submit(`${list()}/${id}`, { name: 'Calls', api_key: 'new' })
  expect((await account(id))?.secrets).toEqual(['new'])
})

test('a connection with a sender cannot be disconnected, and the page says why', async () => {
  await owner.submit(`${list()}/twilio`, { name: 'People', account: 'AC1', auth_token: 'the-token' })
  const { id } = await connected()
  await createSender(owner.workspace.ctx, { kind: '10dlc', address: '+13125550188', connection_id: id })
  const visited = await owner.submit(`${list()}/${id}/disconnect`, {})
  expect([visited.status, textOf(visited)]).toEqual([
    409,
    expect.stringContaining('A sender belongs to this connection'),
  ])
  expect((await account(id))?.secrets).toEqual(['the-token'])
})
