import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { idOf } from '#test/support/fixtures.ts'
import { eraseOldRecordings } from '../../src/modules/calls/erase-calls.ts'
import { events, placeWith } from './retell-calls.ts'
import { type CallScene, type CallScenes, person, startCallScenes } from './scene.ts'
import { memberPhone, memberWith } from './twilio-calls.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

const removed = () => scenes.providers.requested.filter(({ method }) => method === 'DELETE').length

test('call data is removed at the provider after recording retention, even without a copied recording', async () => {
  const id = await placeWith(scenes, scene)
  for (const [event, call] of events(id)) await scene.retell(id, event, call)
  await scene.agent.patch('/compliance-settings', { recording_retention_days: 2 })
  const { updated_at } = await scene.read(id)
  scenes.providers.script.respond = () => [204]
  await eraseOldRecordings(scene.workspace.ctx)
  await scene.removeErased()
  expect(removed()).toBe(0)
  scene.app.clock.advance(3 * 86_400_000)
  expect(await eraseOldRecordings(scene.workspace.ctx)).toBe(1)
  expect(await eraseOldRecordings(scene.workspace.ctx)).toBe(0)
  await scene.removeErased()
  await scene.removeErased()
  expect(removed()).toBe(1)
  expect(await scene.read(id)).toMatchObject({ updated_at, summary: 'Wants a showing.' })
})

test('a recording reported after retention is not copied and is removed at the provider', async () => {
  const id = await placeWith(scenes, scene)
  const [, [event, call]] = events(id)
  await scene.retell(id, event, call)
  await scene.agent.patch('/compliance-settings', { recording_retention_days: 2 })
  scene.app.clock.advance(3 * 86_400_000)
  await scene.advance(id)
  await eraseOldRecordings(scene.workspace.ctx)
  scenes.providers.script.respond = () => [204]
  await scene.removeErased()
  await scene.retell(id, event, { ...call, recording_url: `${scenes.providers.origin}/recording.wav` })
  await scene.advance(id)
  scene.app.clock.advance(121_000)
  await scene.removeErased()
  expect(removed()).toBe(2)
  expect(scenes.providers.requested.filter(({ path }) => path === '/recording.wav')).toEqual([])
})

test('data that a provider stores during a removal is removed too', async () => {
  const id = await placeWith(scenes, scene)
  const [[started, ongoing], [event, call]] = events(id)
  await scene.retell(id, started, ongoing)
  await scene.agent.delete(`/contacts/${scene.contactId}`)
  scenes.providers.script.respond = async ({ method }) => {
    if (method !== 'DELETE') return [404]
    scenes.providers.script.respond = () => [204]
    scene.app.clock.advance(1_000)
    await scene.retell(id, event, { ...call, recording_url: `${scenes.providers.origin}/recording.wav` })
    return [204]
  }
  await scene.removeErased()
  await scene.removeErased()
  await scene.removeErased()
  expect(removed()).toBe(2)
})

test('a failed removal is retried at once when there is more to remove', async () => {
  const id = await placeWith(scenes, scene)
  const [[started, ongoing], [event, call]] = events(id)
  await scene.retell(id, started, ongoing)
  await scene.agent.delete(`/contacts/${scene.contactId}`)
  scenes.providers.script.respond = () => [500]
  await scene.removeErased()
  scenes.providers.script.respond = () => [204]
  await scene.removeErased()
  expect(removed()).toBe(1)
  await scene.retell(id, event, call)
  await scene.removeErased()
  expect(removed()).toBe(2)
})

test('an erased AI call whose response was lost is found and removed at the provider', async () => {
  const id = idOf(await scene.agent.post('/calls', { to: person }))
  scenes.providers.script.respond = () => 'reset'
  await scene.advance(id)
  await scene.agent.delete(`/contacts/${scene.contactId}`)
  const [, [, over]] = events(id)
  scenes.providers.script.respond = ({ method, path }) => {
    if (path === '/v3/list-calls') return [200, { items: [over] }]
    if (method === 'DELETE') return [204]
    return path === '/v2/get-call/call_1' ? [200, over] : [404]
  }
  scene.app.clock.advance(120_000)
  await scene.advance(id)
  expect(await scene.read(id)).toMatchObject({
    status: 'completed',
    provider_call_id: 'call_1',
    from: null,
    to: null,
    transcript: null,
  })
  await scene.removeErased()
  expect(removed()).toBe(1)
})

test('an erased member call whose response was lost is found and its recording removed', async () => {
  const member_id = await memberWith(scene, memberPhone)
  const id = idOf(await scene.agent.post('/calls', { to: person, member_id }))
  scenes.providers.script.respond = () => 'reset'
  await scene.advance(id)
  await scene.agent.delete(`/contacts/${scene.contactId}`)
  const sid = `CA${'a'.repeat(32)}`
  scenes.providers.script.respond = ({ method, path }) => {
    if (path.includes('To='))
      return [200, { calls: [{ sid, date_created: 'Mon, 02 Mar 2026 15:00:01 +0000' }] }]
    if (path.includes('ParentCallSid=')) return [200, { calls: [{ status: 'completed', duration: '42' }] }]
    if (path.endsWith('/Recordings.json')) return [200, { recordings: [{ sid: 'RE1' }] }]
    return method === 'DELETE' ? [204] : [200, { status: 'completed' }]
  }
  scene.app.clock.advance(120_000)
  await scene.advance(id)
  expect(await scene.read(id)).toMatchObject({ status: 'completed', provider_call_id: sid, from: null })
  await scene.removeErased()
  expect(scenes.providers.requested.filter(({ method }) => method === 'DELETE')).toMatchObject([
    { path: expect.stringMatching(/\/Recordings\/RE1\.json$/) },
  ])
})
