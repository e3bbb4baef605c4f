import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectionsOf } from './connections.ts'
import { type CallScene, type CallScenes, startCallScenes } from './scene.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes({ anonymousRateLimit: 20 })))
beforeEach(async () => {
  scene = await scenes.open()
  // Give each test its own minute, for the rate limit.
  scene.app.clock.set(new Date(Date.parse('2026-03-02T15:00:00.000Z') + 60_000 * ++minutes))
})
afterAll(() => scenes[Symbol.asyncDispose]())

let minutes = 0
const announced = 16 * 1024 * 1024

/** The response status of a request that announces a large body but sends none of it. */
async function announcing(path: string, headers: Record<string, string> = {}): Promise<number> {
  const sent = request(`${scene.app.url}${path}`, {
    method: 'POST',
    headers: { 'content-length': String(announced), ...headers },
  })
  sent.flushHeaders()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  sent.on('error', () => undefined).destroy()
  return response.statusCode ?? 0
}

test('a connection shows when a callback was last rejected until its credentials change', async () => {
  const { retell } = await connectionsOf(scene)
  const shown = async () =>
    (await scene.agent.get(`/connections/${retell}`)).body['callback_rejected_at'] as unknown
  expect(await shown()).toBeNull()
  const at = scene.app.clock.now().toISOString()
  const headers = { 'x-retell-signature': `v=${Date.parse(at)},d=${'0'.repeat(64)}` }
  const response = await fetch(`${scene.app.url}/callbacks/retell/${retell}`, {
    method: 'POST',
    headers,
    body: '{}',
  })
  expect([response.status, await shown()]).toEqual([403, at])
  await scene.agent.patch(`/connections/${retell}`, { secret: 'key_2' })
  expect(await shown()).toBeNull()
})

describe('the body of a callback is not read', () => {
  test('if it is unsigned or names no connection', async () => {
    const { retell } = await connectionsOf(scene)
    expect(await announcing(`/callbacks/retell/${retell}`)).toBe(403)
    expect(await announcing('/callbacks/retell/none', { 'x-retell-signature': 'v=1,d=a' })).toBe(403)
    for (const path of ['/callbacks/documenso/none', '/callbacks/docusign/none'])
      expect(await announcing(path)).toBe(401)
  })

  test('from an address that has been rejected too often, unless it may be signed', async () => {
    const { retell } = await connectionsOf(scene)
    const path = `/callbacks/retell/${retell}`
    for (let n = 0; n < 20; n++) await announcing(path)
    expect(await announcing(path)).toBe(429)
    expect(await announcing('/callbacks/retell/none', { 'x-retell-signature': 'v=1,d=a' })).toBe(429)
  })

  test('if it is larger than a Twilio form', async () => {
    const { twilio } = await connectionsOf(scene)
    const headers = { 'x-twilio-signature': 'a', 'content-length': String(65 * 1024) }
    for (const path of ['voice/incoming', 'status/none', 'inbound'])
      expect(await announcing(`/callbacks/twilio/${twilio}/${path}`, headers), path).toBe(413)
  })
})
