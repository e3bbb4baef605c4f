import { expect, test } from 'vitest'
import { rotateAppSecret } from '../../src/modules/oauth/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import {
  type RegisteredApp,
  approveApp,
  bearer,
  codeForm,
  connect,
  inWorkspace,
  post,
  refreshForm,
  registerApp,
} from './scene.ts'

const second = 1000
const day = 24 * 3600 * second

/** Returns the results one second before, at, and one second after the end of a lifetime, each from a fresh start. */
async function around(
  lifeMs: number,
  live: (app: TestApp, registered: RegisteredApp) => Promise<() => Promise<number>>,
  confidential = true,
): Promise<number[]> {
  await using app = await testApp()
  const registered = await registerApp(app, { confidential })
  const statuses: number[] = []
  for (const offset of [-second, 0, second]) {
    const use = await live(app, registered)
    app.clock.advance(lifeMs + offset)
    statuses.push(await use())
  }
  return statuses
}

test('a code lives for 60 seconds', async () => {
  const statuses = await around(60 * second, async (app, registered) => {
    const approved = await approveApp(await app.workspace(), registered)
    return async () => (await post(app, 'token', codeForm(registered, approved))).status
  })
  expect(statuses).toEqual([200, 400, 400])
})

test('an access token lives for an hour', async () => {
  const statuses = await around(3600 * second, async (app, registered) => {
    const { access_token } = await connect(app, await app.workspace(), registered)
    return async () => (await bearer(app, access_token).get('/ping')).status
  })
  expect(statuses).toEqual([200, 401, 401])
})

test.each([
  ['90 days', true, 90 * day],
  ['30 days, of a public app,', false, 30 * day],
])('a refresh token unused for %s expires', async (_what, confidential, life) => {
  const statuses = await around(
    life,
    async (app, registered) => {
      const { refresh_token } = await connect(app, await app.workspace(), registered)
      return async () => (await post(app, 'token', refreshForm(registered, refresh_token))).status
    },
    confidential,
  )
  expect(statuses).toEqual([200, 400, 400])
})

test('each refresh restarts the idle time', async () => {
  await using app = await testApp()
  const registered = await registerApp(app)
  let { refresh_token: token } = await connect(app, await app.workspace(), registered)
  for (let i = 0; i < 5; i++) {
    app.clock.advance(90 * day - second)
    const { status, body } = await post(app, 'token', refreshForm(registered, token))
    expect(status).toBe(200)
    token = String(body['refresh_token'])
  }
})

test('refresh tokens of a public app expire after 180 days, even if in use', async () => {
  const statuses = await around(
    5 * day,
    async (app, registered) => {
      let { refresh_token: token } = await connect(app, await app.workspace(), registered)
      for (let i = 0; i < 7; i++) {
        app.clock.advance(25 * day)
        token = String((await post(app, 'token', refreshForm(registered, token))).body['refresh_token'])
      }
      return async () => (await post(app, 'token', refreshForm(registered, token))).status
    },
    false,
  )
  expect(statuses).toEqual([200, 400, 400])
})

test('the last access token of a public app expires at the end of its 180 days', async () => {
  await using app = await testApp()
  const registered = await registerApp(app, { confidential: false })
  let { refresh_token: token } = await connect(app, await app.workspace(), registered)
  for (let i = 0; i < 7; i++) {
    app.clock.advance(25 * day)
    token = String((await post(app, 'token', refreshForm(registered, token))).body['refresh_token'])
  }
  app.clock.advance(5 * day - 60 * second)
  const { body } = await post(app, 'token', refreshForm(registered, token))
  expect(body['expires_in']).toBe(60)
  const client = bearer(app, String(body['access_token']))
  expect((await client.get('/ping')).status).toBe(200)
  app.clock.advance(60 * second)
  expect((await client.get('/ping')).status).toBe(401)
})

test('a replaced secret works for another 24 hours', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  for (const [offset, status] of [
    [-second, 200],
    [0, 401],
    [second, 401],
  ] as const) {
    const registered = await registerApp(app)
    await approveApp(workspace, registered)
    const ask = (secret: string) =>
      post(app, 'token', {
        grant_type: 'client_credentials',
        client_id: registered.app.id,
        client_secret: secret,
      })
    const owner = inWorkspace(app, registered.app.workspace_id)
    const { secret } = await rotateAppSecret(owner, registered.app.id)
    app.clock.advance(day + offset)
    expect((await ask(secret)).status).toBe(200)
    expect((await ask(registered.secret ?? '')).status).toBe(status)
  }
})

test('at most two secrets are valid; another rotation invalidates the oldest', async () => {
  await using app = await testApp()
  const registered = await registerApp(app)
  await approveApp(await app.workspace(), registered)
  const owner = inWorkspace(app, registered.app.workspace_id)
  const next = await rotateAppSecret(owner, registered.app.id)
  const third = await rotateAppSecret(owner, registered.app.id)
  const statuses = [registered.secret ?? '', next.secret, third.secret].map(async (secret) => {
    const form = { grant_type: 'client_credentials', client_id: registered.app.id, client_secret: secret }
    return (await post(app, 'token', form)).status
  })
  expect(await Promise.all(statuses)).toEqual([401, 200, 200])
})
