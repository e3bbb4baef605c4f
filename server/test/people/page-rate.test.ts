import { expect, test } from 'vitest'
import { testApp } from '../support/app.ts'

/** Sends `count` requests in sequence. Returns their statuses. */
async function ask(count: number, url: string, init?: RequestInit): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) {
    const response = await fetch(url, { redirect: 'manual', ...init })
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}

test('page requests are limited by IP address, and the error page says when to try again', async () => {
  await using app = await testApp({ anonymousRateLimit: 6, now: '2026-03-02T15:00:20.000Z' })
  const agent = await app.credential()
  const authorization = `Token ${agent.key}`
  expect(await ask(1, `${app.url}/sign-in`)).toEqual([200])
  expect(await ask(1, `${app.url}/sign-in`, { method: 'DELETE' })).toEqual([405])
  expect(await ask(1, `${app.url}/account`, { headers: { authorization } })).toEqual([303])
  expect(await ask(1, `${app.url}/settings/nowhere/at/all`)).toEqual([404])
  expect(await ask(1, `${app.url}/oauth/authorize`)).toEqual([400])
  expect(await ask(3, `${app.url}/sign-in/forgot`)).toEqual([200, 429, 429])
  const rejected = await fetch(`${app.url}/sign-in`, { method: 'POST', body: 'x'.repeat(100_000) })
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '40'])
  expect(rejected.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await rejected.text()).toContain('Too many requests. Try again in 40 s.')
  expect((await agent.get('/ping')).status).toBe(200)
  app.clock.advance(40_000)
  expect(await ask(1, `${app.url}/sign-in`)).toEqual([200])
})

test('assets, health checks, and OAuth requests of apps do not count toward the limit of pages', async () => {
  await using app = await testApp({ anonymousRateLimit: 2 })
  const page = await (await fetch(`${app.url}/sign-in`)).text()
  const [, asset = ''] = /href="(\/assets\/[^"]+)"/.exec(page) ?? []
  for (const path of [asset, '/livez', '/.well-known/oauth-authorization-server'])
    expect([path, await ask(4, app.url + path)]).toEqual([path, [200, 200, 200, 200]])
  expect(await ask(4, `${app.url}/oauth/revoke`, { method: 'POST', body: 'token=x' })).toEqual([
    200, 200, 200, 200,
  ])
  expect(await ask(2, `${app.url}/sign-in`)).toEqual([200, 429])
})
