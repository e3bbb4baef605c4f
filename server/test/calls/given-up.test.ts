import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { disconnectConnection } from '../../src/modules/senders/public.ts'
import { callOf, ended, events, placeWith, turns } from './retell-calls.ts'
import { type CallScene, type CallScenes, person, startCallScenes } from './scene.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

const rowOf = async (id: string) => {
  const [row] = await asOwner<{ look_at: Date | null; connection_id: string }>(
    scene.app.databaseUrl,
    'select look_at, connection_id from calls where id = $1',
    [id],
  )
  return orNotFound(row)
}

/** Runs the call's checks as they come due during this time. Returns the number of checks. */
async function processFor(id: string, ms: number): Promise<number> {
  const end = scene.app.clock.now().getTime() + ms
  for (let looks = 0; ; looks++) {
    const { look_at } = await rowOf(id)
    if (look_at === null || look_at.getTime() > end) {
      scene.app.clock.set(new Date(end).toISOString())
      return looks
    }
    if (look_at > scene.app.clock.now()) scene.app.clock.set(look_at.toISOString())
    await scene.advance(id)
  }
}

const [, [, over], [, analyzed]] = events(null)
const saysOf = (call: object) => {
  scenes.providers.script.respond = ({ path }) => (path === '/v2/get-call/call_1' ? [200, call] : [404])
}

describe('a ringing call whose provider is unreachable', () => {
  test('is looked up again and found after a long outage', async () => {
    const id = await placeWith(scenes, scene)
    scene.app.clock.advance(20 * minute)
    await scene.advance(id)
    expect(await scene.read(id)).toMatchObject({ status: 'ringing' })
    saysOf(analyzed)
    await processFor(id, 10 * minute)
    expect(await scene.read(id)).toMatchObject({ status: 'completed', summary: 'Wants a showing.' })
    expect(await scene.events(id)).toEqual(['call.created', 'call.completed'])
  })

  test('is completed as unknown when given up, then looked up daily for a week', async () => {
    const id = await placeWith(scenes, scene)
    await processFor(id, 6 * hour)
    expect(await scene.read(id)).toMatchObject({ status: 'unknown', ended_at: null })
    expect(await scene.events(id)).toEqual(['call.created', 'call.completed'])
    expect(await processFor(id, 8 * day)).toBeLessThan(9)
    expect(await rowOf(id)).toMatchObject({ look_at: null })
    expect(await scene.events(id)).toEqual(['call.created', 'call.completed'])
  })

  test('is given up even mid-conversation; a later result publishes call.updated', async () => {
    const id = await placeWith(scenes, scene)
    await scene.retell(id, 'call_started', callOf(null, { call_status: 'ongoing' }))
    await processFor(id, 6 * hour)
    expect(await scene.read(id)).toMatchObject({ status: 'unknown' })
    saysOf(callOf(null, { call_status: 'ongoing' }))
    await processFor(id, day)
    expect(await scene.read(id)).toMatchObject({ status: 'unknown' })
    saysOf(analyzed)
    await processFor(id, day)
    expect(await scene.read(id)).toMatchObject({ status: 'completed', duration_seconds: 60 })
    expect(await scene.events(id)).toEqual(['call.created', 'call.completed', 'call.updated'])
    const [{ data } = { data: { fields: [''] } }] = await asOwner<{ data: { fields: string[] } }>(
      scene.app.databaseUrl,
      "select data from events where subject_id = $1 and name = 'call.updated'",
      [id],
    )
    expect(data.fields).toEqual(expect.arrayContaining(['status', 'duration_seconds', 'transcript']))
  })

  test('releases its connection once given up, and does not change after a disconnect', async () => {
    const id = await placeWith(scenes, scene)
    await processFor(id, 6 * hour)
    await disconnectConnection(scene.workspace.ctx, (await rowOf(id)).connection_id)
    await processFor(id, 2 * day)
    expect(await scene.read(id)).toMatchObject({ status: 'unknown', error: null })
    expect(await rowOf(id)).toMatchObject({ look_at: null })
    expect(await scene.events(id)).toEqual(['call.created', 'call.completed'])
  })
})

test('a call the provider never had is given up after an hour', async () => {
  const id = idOf(await scene.agent.post('/calls', { to: person }))
  scenes.providers.script.respond = () => 'reset'
  await scene.advance(id)
  scenes.providers.script.respond = () => [200, { items: [] }]
  await processFor(id, hour - minute)
  expect(await scene.events(id)).toEqual(['call.created'])
  await processFor(id, 10 * minute)
  expect(await scene.read(id)).toMatchObject({ status: 'unknown' })
  expect(await scene.events(id)).toEqual(['call.created', 'call.completed'])
})

test('a transcript of 1,500 long turns is read in full', async () => {
  const id = await placeWith(scenes, scene)
  const said = turns(...Array.from({ length: 1500 }, (_, n) => `${n}: ${'word '.repeat(200)}`))
  saysOf({ ...over, ...ended, transcript_object: said })
  await scene.advance(id)
  const { status, transcript } = await scene.read(id)
  expect([status, (transcript as unknown[]).length]).toEqual(['completed', 1500])
})
