import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasVersion } from '#kernel/http/etag.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { ask, bodyFor, pathToNew } from './requests.ts'

let app: TestApp
let agent: Client

beforeAll(async () => {
  app = await testApp()
  agent = await app.credential()
})
afterAll(() => app[Symbol.asyncDispose]())

const versioned = endpoints.filter(hasVersion)
const patches = versioned.filter(
  ({ method, path }) =>
    method === 'PATCH' && endpoints.some((one) => one.method === 'GET' && one.path === path),
)

test.each(versioned)('$method $path returns an ETag', async (endpoint) => {
  app.clock.advance(60_000)
  const { headers } = await ask(agent, endpoint, await pathToNew(endpoint, agent))
  expect(headers.get('etag')).toMatch(/^"[0-9TZ:.-]+"$/)
})

describe.each(patches)('PATCH $path', (endpoint) => {
  test('returns 412 unless If-Match matches the current version', async () => {
    app.clock.advance(60_000)
    const path = await pathToNew(endpoint, agent)
    const patch = (ifMatch: string) =>
      agent.request('PATCH', path, { body: bodyFor(endpoint), headers: { 'if-match': ifMatch } })
    const read = (await agent.get(path)).headers.get('etag') ?? ''
    const stale = await patch('"0"')
    expect(stale).toMatchObject({ status: 412, body: { error: { code: 'precondition_failed' } } })
    expect((await agent.get(path)).headers.get('etag')).toBe(read)
    const changed = await patch(`"0", ${read}`)
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(read)
    expect((await patch(read)).status).toBe(412)
    expect((await patch('*')).status).toBe(200)
  })
})
