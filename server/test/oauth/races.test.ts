import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import {
  type RegisteredApp,
  approveApp,
  bearer,
  codeForm,
  connect,
  post,
  refreshForm,
  registerApp,
} from './scene.ts'

const atOnce = 16
/** Set `GABLE_RACE_ROUNDS` for more rounds. */
const rounds = Number(process.env['GABLE_RACE_ROUNDS'] ?? 200)

let app: TestApp
let other: TestApp
let workspace: TestWorkspace
let mirror: RegisteredApp

beforeAll(async () => {
  app = await testApp()
  // A second instance on the same database. Each instance has a pool of ten connections.
  other = await testApp({ databaseUrl: app.databaseUrl })
  workspace = await app.workspace()
  mirror = await registerApp(app)
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})

const race = (form: Record<string, string>) =>
  Promise.all(Array.from({ length: atOnce }, (_, i) => post(i % 2 === 0 ? app : other, 'token', form)))

/** Families with more than one live refresh token. */
const living = () =>
  asOwner<{ live: number }>(
    app.databaseUrl,
    `select count(*)::integer as live from oauth_refresh_tokens r join oauth_families f on f.id = r.family_id
     where r.retired_at is null and f.revoked_at is null group by f.id having count(*) > 1`,
  )

async function expectAllDead(bodies: Record<string, unknown>[]): Promise<void> {
  for (const body of bodies) {
    expect((await bearer(app, String(body['access_token'])).get('/ping')).status).toBe(401)
    const refresh = await post(app, 'token', refreshForm(mirror, String(body['refresh_token'])))
    expect(refresh.body['error']).toBe('invalid_grant')
  }
}

test(`one of ${atOnce} concurrent exchanges of a code succeeds, and the replays revoke its tokens`, async () => {
  for (let round = 0; round < rounds; round++) {
    const responses = await race(codeForm(mirror, await approveApp(workspace, mirror)))
    const won = responses.filter(({ status }) => status === 200)
    expect([won.length, responses.filter(({ body }) => body['error'] === 'invalid_grant').length]).toEqual([
      1,
      atOnce - 1,
    ])
    await expectAllDead(won.map(({ body }) => body))
  }
  expect(await living()).toEqual([])
})

test(`one of ${atOnce} concurrent refreshes of a token succeeds, and the replays revoke its tokens`, async () => {
  for (let round = 0; round < rounds; round++) {
    const tokens = await connect(app, workspace, mirror)
    const responses = await race(refreshForm(mirror, tokens.refresh_token))
    const won = responses.filter(({ status }) => status === 200)
    expect([won.length, responses.filter(({ body }) => body['error'] === 'invalid_grant').length]).toEqual([
      1,
      atOnce - 1,
    ])
    await expectAllDead([{ ...tokens }, ...won.map(({ body }) => body)])
  }
  expect(await living()).toEqual([])
})

test('two concurrent approvals create one grant with the scopes of both', async () => {
  for (let round = 0; round < rounds; round++) {
    const there = await app.workspace()
    await Promise.all([
      approveApp(there, mirror, { scopes: ['contacts:read'] }),
      approveApp(there, mirror, { scopes: ['leads:read'] }),
    ])
    const grants = await asOwner(app.databaseUrl, 'select scopes from oauth_grants where workspace_id = $1', [
      there.id,
    ])
    expect(grants).toEqual([{ scopes: ['contacts:read', 'leads:read'] }])
  }
})
