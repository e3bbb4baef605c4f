import { expect, test } from 'vitest'
import { newSecret } from '../../src/modules/access/secret.ts'
import { clientFailureLimit } from '../../src/modules/oauth/tokens/failure-limit.ts'
import { testApp } from '../support/app.ts'
import { connect, post, refreshForm, registerApp } from './scene.ts'

test('wrong secrets rate-limit their client until the next minute, but no other client', async () => {
  await using app = await testApp({ now: '2026-03-02T15:00:20.000Z' })
  const [mirror, other] = [await registerApp(app), await registerApp(app)]
  const guess = () =>
    post(app, 'token', {
      grant_type: 'client_credentials',
      client_id: mirror.app.id,
      client_secret: newSecret('gbl_cs_'),
    })
  for (let i = 0; i < clientFailureLimit; i++) expect((await guess()).status).toBe(401)
  const limited = await guess()
  expect([limited.status, limited.headers.get('retry-after'), limited.body['error']]).toEqual([
    429,
    '40',
    'temporarily_unavailable',
  ])
  expect(rateOf(limited).slice(0, 2)).toEqual([clientFailureLimit, 0])
  const workspace = await app.workspace()
  expect((await connect(app, workspace, other)).tenant_id).toBe(workspace.id)
  expect((await post(app, 'revoke', { token: newSecret('gbl_rt_'), ...mirror.credentials })).status).toBe(200)
  app.clock.advance(40_000)
  expect((await guess()).status).toBe(401)
  expect((await connect(app, workspace, mirror)).tenant_id).toBe(workspace.id)
})

test('unknown refresh tokens and clients count toward one limit per IP address', async () => {
  await using app = await testApp({ anonymousRateLimit: 5 })
  const mirror = await registerApp(app)
  const ask = (i: number) => {
    const unknown = { ...mirror.credentials, client_id: `unknown-${i}` }
    return post(
      app,
      'token',
      i % 2 === 0
        ? refreshForm(mirror, newSecret('gbl_rt_'))
        : { grant_type: 'client_credentials', ...unknown },
    )
  }
  const statuses: number[] = []
  for (let i = 0; i < 7; i++) statuses.push((await ask(i)).status)
  expect(statuses).toEqual([400, 401, 400, 401, 400, 429, 429])
})

const rateOf = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`) ?? NaN))

test('rate-limit headers of /oauth/token and /oauth/revoke show how many more requests can fail', async () => {
  const now = '2026-03-02T15:00:20.000Z'
  const reset = Date.parse('2026-03-02T15:01:00.000Z') / 1000
  await using app = await testApp({ now, anonymousRateLimit: 3 })
  const [mirror, workspace] = [await registerApp(app), await app.workspace()]
  const tokens = await connect(app, workspace, mirror)
  const unknown = () => post(app, 'token', refreshForm(mirror, newSecret('gbl_rt_')))
  const other = (path: string, init: RequestInit) => fetch(`${app.url}/oauth/${path}`, init)

  expect(rateOf(await post(app, 'token', refreshForm(mirror, tokens.refresh_token)))).toEqual([3, 3, reset])
  expect(rateOf(await unknown())).toEqual([3, 2, reset])
  expect(rateOf(await other('token', { method: 'GET' }))).toEqual([3, 2, reset])
  expect(rateOf(await other('token', { method: 'POST', body: 'x'.repeat(20_000) }))).toEqual([3, 2, reset])
  expect(rateOf(await unknown())).toEqual([3, 1, reset])
  expect(rateOf(await post(app, 'revoke', { token: newSecret('gbl_rt_') }))).toEqual([3, 1, reset])
  expect(rateOf(await unknown())).toEqual([3, 0, reset])
  const limited = await unknown()
  expect([limited.status, ...rateOf(limited)]).toEqual([429, 3, 0, reset])
  expect(rateOf(await other('revoke', { method: 'GET' }))).toEqual([3, 0, reset])
})

test('success, replays and invalid requests do not count as failures', async () => {
  await using app = await testApp({ anonymousRateLimit: 3 })
  const [mirror, workspace] = [await registerApp(app), await app.workspace()]
  const tokens = await connect(app, workspace, mirror)
  for (let i = 0; i < 10; i++) {
    await connect(app, workspace, mirror)
    await post(app, 'token', { grant_type: 'nothing', ...mirror.credentials })
    await post(app, 'token', { ...refreshForm(mirror, tokens.refresh_token), scope: 'everything' })
  }
  expect((await post(app, 'token', refreshForm(mirror, tokens.refresh_token))).status).toBe(200)
  for (let i = 0; i < 5; i++)
    expect((await post(app, 'token', refreshForm(mirror, tokens.refresh_token))).status).toBe(400)
})
