import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { wrongClock } from '#test/support/clock.ts'
import { anonymousCounter } from './anonymous-rate.ts'

test('a key gets exactly 120 requests per minute across all instances, even concurrently', async () => {
  await using app = await testApp()
  await using other = await testApp({ databaseUrl: app.databaseUrl })
  const agent = await app.credential()
  const ask = async (base: string) => {
    const response = await fetch(`${base}/ping`, { headers: { authorization: `token ${agent.key}` } })
    await response.arrayBuffer()
    return {
      status: response.status,
      remaining: Number(response.headers.get('x-ratelimit-remaining')),
      headers: response.headers,
    }
  }
  const responses = await Promise.all(
    Array.from({ length: 200 }, (_, i) => ask(i % 2 === 0 ? app.base : other.base)),
  )
  const allowed = responses.filter(({ status }) => status === 200)
  const limited = responses.filter(({ status }) => status === 429)
  expect([allowed.length, limited.length]).toEqual([120, 80])
  expect(allowed.map(({ remaining }) => remaining).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 120 }, (_, i) => i),
  )
  const windowEnd = (Math.floor(app.clock.now().getTime() / 60_000) + 1) * 60
  for (const { headers } of limited) {
    expect(headers.get('retry-after')).toBe('60')
    expect(headers.get('x-ratelimit-reset')).toBe(String(windowEnd))
  }
  app.clock.advance(60_000)
  other.clock.advance(60_000)
  expect((await ask(app.base)).remaining).toBe(119)
  expect((await ask(other.base)).remaining).toBe(118)
})

test('instances whose clocks are ten minutes apart count in the same windows', async () => {
  await using app = await testApp({ clock: wrongClock(0) })
  await using wrong = await testApp({ databaseUrl: app.databaseUrl, clock: wrongClock(600_000) })
  const agent = await app.credential()
  const responses = await Promise.all(
    Array.from({ length: 300 }, async (_, i) => {
      const { base } = i % 2 === 0 ? app : wrong
      const response = await fetch(`${base}/ping`, { headers: { authorization: `token ${agent.key}` } })
      await response.arrayBuffer()
      const { headers, status } = response
      return {
        status,
        reset: headers.get('x-ratelimit-reset'),
        retry: Number(headers.get('retry-after') ?? 1),
      }
    }),
  )
  // A minute may end in the middle.
  for (const [, window] of Map.groupBy(responses, ({ reset }) => reset))
    expect(window.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(120)
  expect(responses.some(({ status }) => status === 429)).toBe(true)
  expect(responses.every(({ retry }) => retry >= 1 && retry <= 60)).toBe(true)
})

test('an instance whose clock is behind does not move the window back', async () => {
  await using app = await testApp()
  await using late = await testApp({ databaseUrl: app.databaseUrl })
  const agent = await app.credential()
  app.clock.advance(60_000)
  const remaining = async (base: string) => {
    const { headers } = await fetch(`${base}/ping`, { headers: { authorization: `token ${agent.key}` } })
    return [headers.get('x-ratelimit-remaining'), headers.get('x-ratelimit-reset')]
  }
  const [, reset] = await remaining(app.base)
  expect(await remaining(late.base)).toEqual(['118', reset])
  expect(await remaining(app.base)).toEqual(['117', reset])
})

test('an instance whose clock is ahead does not affect a key’s limit on other instances', async () => {
  await using app = await testApp()
  await using wrong = await testApp({ databaseUrl: app.databaseUrl })
  const agent = await app.credential()
  wrong.clock.advance(3_600_000)
  await fetch(`${wrong.base}/ping`, { headers: { authorization: `token ${agent.key}` } })
  const { headers } = await agent.get('/ping')
  const windowEnd = (Math.floor(app.clock.now().getTime() / 60_000) + 1) * 60
  expect([headers.get('x-ratelimit-remaining'), headers.get('x-ratelimit-reset')]).toEqual([
    '119',
    String(windowEnd),
  ])
})

test('requests without a valid credential are counted by address', async () => {
  await using app = await testApp({ anonymousRateLimit: 3 })
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) statuses.push((await app.anonymous.get('/ping')).status)
  expect(statuses).toEqual([401, 401, 401, 429, 429])
  expect((await (await app.credential()).get('/ping')).status).toBe(200)
  app.clock.advance(60_000)
  expect((await app.anonymous.get('/ping')).status).toBe(401)
})

test.each([
  ['10.0.0.1', '10.0.0.2', false],
  ['::ffff:10.0.0.1', '10.0.0.1', true],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['2001:db8::1', '2001:0db8:0:0:1::', true],
  ['::1', '::2', true],
  ['made up', 'by a caller', true],
])('%s and %s share a rate limit: %s', (one, other, same) => {
  const count = anonymousCounter()
  count(one, 0)
  expect(count(other, 0)).toBe(same ? 2 : 1)
})
