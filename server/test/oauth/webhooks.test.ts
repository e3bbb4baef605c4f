import { expect, test, vi } from 'vitest'
import { syncGrant } from '../../src/modules/oauth/jobs.ts'
import { deleteApp, requireGrant, setAppEnabled } from '../../src/modules/oauth/public.ts'
import { disableWebhook } from '../../src/modules/webhooks/public.ts'
import { testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { asOwner, freshDatabase } from '../support/database.ts'
import { disconnect, approveApp, bearer, connect, inWorkspace, registerApp } from './scene.ts'

const scopes = ['webhooks:manage', 'contacts:read']
const url = 'https://hooks.example.com/gable'

interface Event {
  data: { id: string }
}

async function scene() {
  const app = await testApp()
  const workspace = await app.workspace()
  const mirror = await registerApp(app)
  const client = bearer(app, (await connect(app, workspace, mirror, { scopes })).access_token)
  const agent = await workspace.credential()
  const foreign = String((await client.post('/webhooks', { url })).body['id'])
  const ours = String((await agent.post('/webhooks', { url })).body['id'])
  const statuses = async () => {
    const { body } = await agent.get('/webhooks')
    return Object.fromEntries(
      (body['data'] as { id: string; status: string }[]).map(({ id, status }) => [
        id === foreign ? 'foreign' : 'ours',
        status,
      ]),
    )
  }
  /** Runs the pending job, as a worker would. */
  const follow = () => syncGrant.handle(workspace.ctx, { app_id: mirror.app.id })
  const owner = inWorkspace(app, mirror.app.workspace_id)
  return { app, workspace, mirror, client, agent, foreign, ours, statuses, follow, owner }
}

test('revoking a grant deletes the app’s webhooks but not those of the workspace', async () => {
  const { app, workspace, mirror, statuses } = await scene()
  await using _ = app
  expect(await statuses()).toEqual({ foreign: 'active', ours: 'active' })
  await disconnect(workspace, mirror.app.id)
  expect(await statuses()).toEqual({ ours: 'active' })
  await approveApp(workspace, mirror, { scopes })
  expect(await statuses()).toEqual({ ours: 'active' })
})

test('an app sees and manages only the webhooks that it created; an API key manages all', async () => {
  const { app, workspace, client, agent, foreign, ours } = await scene()
  await using _ = app
  const other = await registerApp(app)
  const otherClient = bearer(app, (await connect(app, workspace, other, { scopes })).access_token)
  const idsOf = async (who: Client) =>
    (await who.get('/webhooks')).body['data'].map(({ id }: { id: string }) => id)
  expect(await idsOf(client)).toEqual([foreign])
  expect(await idsOf(otherClient)).toEqual([])
  expect(await idsOf(agent)).toEqual([ours, foreign])
  const tested = await agent.post(`/webhooks/${ours}/test`)
  const delivery = `/webhooks/${ours}/deliveries/${tested.body['id']}`
  const requests: [Parameters<Client['request']>[0], string, object?][] = [
    ['GET', `/webhooks/${ours}`],
    ['PATCH', `/webhooks/${ours}`, { paused: true }],
    ['DELETE', `/webhooks/${ours}`],
    ['POST', `/webhooks/${ours}/rotate-secret`, {}],
    ['POST', `/webhooks/${ours}/test`, {}],
    ['POST', `/webhooks/${ours}/recover`, { since: '2026-01-01T00:00:00Z' }],
    ['GET', `/webhooks/${ours}/deliveries`],
    ['GET', delivery],
    ['POST', `${delivery}/redeliver`, {}],
  ]
  for (const who of [client, otherClient]) {
    for (const [method, path, body] of requests) {
      const { status, body: error } = await who.request(method, path, { body })
      expect([method, path, status, error['error'].code]).toEqual([method, path, 404, 'not_found'])
    }
  }
  expect((await otherClient.delete(`/webhooks/${foreign}`)).status).toBe(404)
  expect((await agent.get(delivery)).status).toBe(200)
  expect((await agent.patch(`/webhooks/${foreign}`, { description: 'Seen by a key' })).status).toBe(200)
  expect((await client.get(`/webhooks/${foreign}`)).body['description']).toBe('Seen by a key')
})

test('an app gets webhook.disabled only for its own webhooks, by webhook and in GET /events', async () => {
  const app = await testApp()
  await using _ = app
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const clients = []
  for (let i = 0; i < 2; i++) {
    const tokens = await connect(app, workspace, await registerApp(app), {
      scopes: [...scopes, 'events:read'],
    })
    clients.push(bearer(app, tokens.access_token))
  }
  const hooks: string[] = []
  for (const who of [agent, ...clients]) hooks.push(String((await who.post('/webhooks', { url })).body['id']))
  await asOwner(app.databaseUrl, 'update webhooks set failing_since = $2 where workspace_id = $1', [
    workspace.id,
    new Date(app.clock.now().getTime() - 5 * 24 * 3_600_000).toISOString(),
  ])
  for (const id of hooks.slice(0, 2)) expect(await disableWebhook(workspace.ctx, id)).toBe(true)
  const disabledSeenBy = async (who: Client) =>
    (await who.get('/events?type=webhook.disabled')).body['data']
      .map((event: Event) => event.data.id)
      .toReversed()
  expect(await Promise.all([agent, ...clients].map(disabledSeenBy))).toEqual([
    hooks.slice(0, 2),
    [hooks[1]],
    [],
  ])
  const rows = await asOwner(
    app.databaseUrl,
    `select d.webhook_id, e.subject_id from webhook_deliveries d join events e on e.id = d.event_id
     where d.workspace_id = $1 order by e.id, d.webhook_id`,
    [workspace.id],
  )
  expect(
    rows.map(({ webhook_id, subject_id }) => [webhook_id, subject_id].map((id) => hooks.indexOf(id))),
  ).toEqual([
    [0, 0],
    [0, 1],
    [1, 1],
  ])
})

test('an app’s webhook has the scopes granted to the app', async () => {
  const { app, client, foreign } = await scene()
  await using _ = app
  expect((await client.get(`/webhooks/${foreign}`)).body['scopes']).toEqual([
    'contacts:read',
    'webhooks:manage',
  ])
})

test('webhooks of a disabled app stay paused until the app is enabled', async () => {
  const { app, mirror, agent, foreign, statuses, follow, owner } = await scene()
  await using _ = app
  await setAppEnabled(owner, mirror.app.id, false)
  for (let twice = 0; twice < 2; twice++) await follow()
  expect(await statuses()).toEqual({ foreign: 'paused', ours: 'active' })
  await agent.patch(`/webhooks/${foreign}`, { paused: false })
  expect((await statuses())['foreign']).toBe('paused')
  await setAppEnabled(owner, mirror.app.id, true)
  for (let twice = 0; twice < 2; twice++) await follow()
  expect((await statuses())['foreign']).toBe('active')
})

test('a webhook paused before its app is disabled stays paused after the app is enabled', async () => {
  const { app, mirror, client, foreign, statuses, follow, owner } = await scene()
  await using _ = app
  await client.patch(`/webhooks/${foreign}`, { paused: true })
  for (const enabled of [false, true]) {
    await setAppEnabled(owner, mirror.app.id, enabled)
    await follow()
    expect((await statuses())['foreign']).toBe('paused')
  }
})

test('deleting an app deletes its grants and webhooks', async () => {
  const { app, workspace, mirror, statuses, follow, owner } = await scene()
  await using _ = app
  await deleteApp(owner, mirror.app.id)
  for (let twice = 0; twice < 2; twice++) await follow()
  expect(await statuses()).toEqual({ ours: 'active' })
  await expect(disconnect(workspace, mirror.app.id)).rejects.toMatchObject({ code: 'not_found' })
})

test('a job revokes the grant of a deleted app', async () => {
  await using app = await testApp({ role: 'all', databaseUrl: await freshDatabase('oauth_queue') })
  const workspace = await app.workspace()
  const mirror = await registerApp(app)
  await connect(app, workspace, mirror, { scopes })
  await deleteApp(inWorkspace(app, mirror.app.workspace_id), mirror.app.id)
  await vi.waitFor(
    async () => {
      const grants = await asOwner(
        app.databaseUrl,
        'select revoked_at is not null as revoked from oauth_grants where workspace_id = $1',
        [workspace.id],
      )
      expect(grants).toEqual([{ revoked: true }])
    },
    { timeout: 30_000 },
  )
})

test('webhooks created concurrently with a revocation do not survive it', async () => {
  await using app = await testApp()
  const mirror = await registerApp(app)
  for (let round = 0; round < 10; round++) {
    const workspace = await app.workspace()
    const client = bearer(app, (await connect(app, workspace, mirror, { scopes })).access_token)
    const asked = Array.from({ length: 8 }, () => client.post('/webhooks', { url }))
    const [responses] = await Promise.all([Promise.all(asked), disconnect(workspace, mirror.app.id)])
    expect(responses.every(({ status }) => status === 201 || status === 401)).toBe(true)
    const left = await asOwner(app.databaseUrl, 'select id from webhooks where workspace_id = $1', [
      workspace.id,
    ])
    expect(left).toEqual([])
  }
})

test('requireGrant rejects an app that is disabled or disconnected', async () => {
  const { app, workspace, mirror, owner } = await scene()
  await using _ = app
  const keep = () => workspace.ctx.transaction((tx) => requireGrant(tx, mirror.app.id))
  await keep()
  await setAppEnabled(owner, mirror.app.id, false)
  await expect(keep()).rejects.toMatchObject({ code: 'invalid_token' })
  await setAppEnabled(owner, mirror.app.id, true)
  await disconnect(workspace, mirror.app.id)
  await expect(keep()).rejects.toMatchObject({ code: 'invalid_token' })
})
