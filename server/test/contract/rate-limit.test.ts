import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import type { Response } from '../support/client.ts'

const rateOf = ({ headers }: Response) => ({
  limit: Number(headers.get('x-ratelimit-limit')),
  remaining: Number(headers.get('x-ratelimit-remaining')),
  reset: Number(headers.get('x-ratelimit-reset')),
})

const epochSeconds = (at: string) => Date.parse(at) / 1000

test('a key gets 120 requests per minute of any status, and each response shows how many are left', async () => {
  await using app = await testApp({ now: '2026-03-02T15:00:12.345Z' })
  const agent = await app.credential('contacts:read')
  const reset = epochSeconds('2026-03-02T15:01:00Z')
  const kinds = [
    () => agent.get('/contacts'),
    () => agent.get('/contacts?limit=0'),
    () => agent.post('/contacts'),
    () => agent.get('/nothing'),
    () => agent.delete('/ping'),
  ]
  for (let used = 1; used <= 120; used++) {
    // One document is as large as a thousand other responses.
    const response = await (used === 60 ? agent.get('/openapi.json') : kinds[used % kinds.length]?.())
    expect(response && rateOf(response)).toEqual({ limit: 120, remaining: 120 - used, reset })
  }
  const rejected = await agent.get('/ping')
  expect(rejected).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
  expect(rateOf(rejected)).toEqual({ limit: 120, remaining: 0, reset })
  expect(rejected.headers.get('retry-after')).toBe('48')
})

test('the limit resets at the next minute, when Retry-After ends', async () => {
  await using app = await testApp({ now: '2026-03-02T15:00:59.001Z' })
  const agent = await app.credential()
  await exhaust(app, agent.key)
  const rejected = await agent.get('/ping')
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '1'])
  app.clock.set('2026-03-02T15:00:59.999Z')
  expect((await agent.get('/ping')).status).toBe(429)
  app.clock.set('2026-03-02T15:01:00.000Z')
  const welcome = await agent.get('/ping')
  expect([welcome.status, rateOf(welcome)]).toEqual([
    200,
    { limit: 120, remaining: 119, reset: epochSeconds('2026-03-02T15:02:00Z') },
  ])
})

test('each key has its own limit, even in the same workspace', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const [one, other] = [await workspace.credential(), await workspace.credential()]
  await exhaust(app, one.key)
  expect((await one.get('/ping')).status).toBe(429)
  expect(rateOf(await other.get('/ping')).remaining).toBe(119)
})

test('requests without a valid credential have a limit of their own and do not affect keys', async () => {
  await using app = await testApp({ now: '2026-03-02T15:00:20.000Z', anonymousRateLimit: 3 })
  const agent = await app.credential()
  const shapes = [{}, { authorization: 'token rubbish' }, { authorization: `Bearer ${agent.key}` }]
  for (const [i, headers] of shapes.entries()) {
    const response = await app.anonymous.get('/ping', headers)
    expect([response.status, rateOf(response)]).toEqual([
      401,
      { limit: 3, remaining: 2 - i, reset: epochSeconds('2026-03-02T15:01:00Z') },
    ])
  }
  const rejected = await app.anonymous.get('/ping')
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '40'])
  expect((await agent.get('/ping')).status).toBe(200)
  app.clock.advance(40_000)
  expect((await app.anonymous.get('/ping')).status).toBe(401)
})

async function exhaust(app: TestApp, key: string | undefined): Promise<void> {
  const ping = () =>
    fetch(`${app.base}/ping`, { headers: { authorization: `token ${key}` } }).then((response) =>
      response.text(),
    )
  await Promise.all(Array.from({ length: 120 }, ping))
}
