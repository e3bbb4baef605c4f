import { expect, test } from 'vitest'
import { newSecret } from '../../src/modules/access/secret.ts'
import { clientFailureLimit } from '../../src/modules/oauth/failures.ts'
import { testApp } from '../support/app.ts'
import { connect, post, refreshForm, registerApp } from './scene.ts'

test('who guesses a client’s secret is held up until the next minute; others of the address are not', async () => {
  await using app = await testApp({ now: '2026-03-02T15:00:20.000Z' })
  const [mirror, other] = [await registerApp(app), await registerApp(app)]
  const guess = () =>
    post(app, 'token', {
      grant_type: 'client_credentials',
      client_id: mirror.app.id,
      client_secret: newSecret('gbl_cs_'),
    })
  for (let i = 0; i < clientFailureLimit; i++) expect((await guess()).status).toBe(401)
  const refused = await guess()
  expect([refused.status, refused.headers.get('retry-after'), refused.body['error']]).toEqual([
    429,
    '40',
    'temporarily_unavailable',
  ])
  const workspace = await app.workspace()
  expect((await connect(app, workspace, other)).tenant_id).toBe(workspace.id)
  expect((await post(app, 'revoke', { token: newSecret('gbl_rt_'), ...mirror.credentials })).status).toBe(200)
  app.clock.advance(40_000)
  expect((await guess()).status).toBe(401)
  expect((await connect(app, workspace, mirror)).tenant_id).toBe(workspace.id)
})

test('an address that shows unknown codes and tokens of all kinds of clients is held up as a whole', async () => {
  await using app = await testApp({ anonymousRateLimit: 5 })
  const mirror = await registerApp(app)
  const ask = (i: number) => {
    const unknown = { ...mirror.credentials, client_id: `nobody-${i}` }
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

test('success is not counted, nor a replay, nor a request that is merely wrong', async () => {
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
