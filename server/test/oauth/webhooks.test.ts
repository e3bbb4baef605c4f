import { expect, test, vi } from 'vitest'
import { followApp } from '../../src/modules/oauth/jobs.ts'
import { deleteApp, requireGrant, revokeGrant, setAppEnabled } from '../../src/modules/oauth/public.ts'
import { testApp } from '../support/app.ts'
import { asOwner, freshDatabase } from '../support/database.ts'
import { approveApp, bearer, connect, inWorkspace, registerApp } from './scene.ts'

const scopes = ['webhooks:manage', 'contacts:read']
const url = 'https://hooks.example.com/gable'

async function scene() {
  const app = await testApp()
  const workspace = await app.workspace()
  const mirror = await registerApp(app)
  const client = bearer(app, (await connect(app, workspace, mirror, { scopes })).access_token)
  const agent = await workspace.credential()
  const theirs = String((await client.post('/webhooks', { url })).body['id'])
  const ours = String((await agent.post('/webhooks', { url })).body['id'])
  const statuses = async () => {
    const { body } = await agent.get('/webhooks')
    return Object.fromEntries(
      (body['data'] as { id: string; status: string }[]).map(({ id, status }) => [
        id === theirs ? 'theirs' : 'ours',
        status,
      ]),
    )
  }
  /** As the worker does with the jobs that wait. */
  const follow = () => followApp.handle(workspace.ctx, { app_id: mirror.app.id })
  const owner = inWorkspace(app, mirror.app.workspace_id)
  return { app, workspace, mirror, client, agent, theirs, ours, statuses, follow, owner }
}

test('a webhook that an app made goes with its grant; one that the workspace made stays', async () => {
  const { app, workspace, mirror, statuses } = await scene()
  await using _ = app
  expect(await statuses()).toEqual({ theirs: 'active', ours: 'active' })
  await revokeGrant(workspace.ctx, mirror.app.id)
  expect(await statuses()).toEqual({ ours: 'active' })
  await approveApp(workspace, mirror, { scopes })
  expect(await statuses()).toEqual({ ours: 'active' })
})

test('it keeps the scopes that the app had', async () => {
  const { app, client, theirs } = await scene()
  await using _ = app
  expect((await client.get(`/webhooks/${theirs}`)).body['scopes']).toEqual([
    'contacts:read',
    'webhooks:manage',
  ])
})

test('while an app is disabled its webhooks rest, whoever wants them to go on; then they do', async () => {
  const { app, mirror, agent, theirs, statuses, follow, owner } = await scene()
  await using _ = app
  await setAppEnabled(owner, mirror.app.id, false)
  for (let twice = 0; twice < 2; twice++) await follow()
  expect(await statuses()).toEqual({ theirs: 'paused', ours: 'active' })
  await agent.patch(`/webhooks/${theirs}`, { paused: false })
  expect((await statuses())['theirs']).toBe('paused')
  await setAppEnabled(owner, mirror.app.id, true)
  for (let twice = 0; twice < 2; twice++) await follow()
  expect((await statuses())['theirs']).toBe('active')
})

test('one that was paused before is paused afterwards', async () => {
  const { app, mirror, client, theirs, statuses, follow, owner } = await scene()
  await using _ = app
  await client.patch(`/webhooks/${theirs}`, { paused: true })
  for (const enabled of [false, true]) {
    await setAppEnabled(owner, mirror.app.id, enabled)
    await follow()
    expect((await statuses())['theirs']).toBe('paused')
  }
})

test('with a deleted app its grants and webhooks go', async () => {
  const { app, workspace, mirror, statuses, follow, owner } = await scene()
  await using _ = app
  await deleteApp(owner, mirror.app.id)
  for (let twice = 0; twice < 2; twice++) await follow()
  expect(await statuses()).toEqual({ ours: 'active' })
  await expect(revokeGrant(workspace.ctx, mirror.app.id)).rejects.toMatchObject({ code: 'not_found' })
})

test('each workspace that has authorized an app hears of it from the queue', async () => {
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
    { timeout: 15_000 },
  )
})

test('of a revocation and a subscription at once no webhook is left', async () => {
  await using app = await testApp()
  const mirror = await registerApp(app)
  for (let round = 0; round < 10; round++) {
    const workspace = await app.workspace()
    const client = bearer(app, (await connect(app, workspace, mirror, { scopes })).access_token)
    const asked = Array.from({ length: 8 }, () => client.post('/webhooks', { url }))
    const [answers] = await Promise.all([Promise.all(asked), revokeGrant(workspace.ctx, mirror.app.id)])
    expect(answers.every(({ status }) => status === 201 || status === 401)).toBe(true)
    const left = await asOwner(app.databaseUrl, 'select id from webhooks where workspace_id = $1', [
      workspace.id,
    ])
    expect(left).toEqual([])
  }
})

test('nothing more is kept for an app that has been disabled while it was being made', async () => {
  const { app, workspace, mirror, owner } = await scene()
  await using _ = app
  const keep = () => workspace.ctx.transaction((tx) => requireGrant(tx, mirror.app.id))
  await keep()
  await setAppEnabled(owner, mirror.app.id, false)
  await expect(keep()).rejects.toMatchObject({ code: 'invalid_token' })
  await setAppEnabled(owner, mirror.app.id, true)
  await revokeGrant(workspace.ctx, mirror.app.id)
  await expect(keep()).rejects.toMatchObject({ code: 'invalid_token' })
})
