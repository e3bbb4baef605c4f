import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asOwner } from '#test/support/database.ts'
import { callOf, ended, events, placeWith, start } from './retell-calls.ts'
import { type CallScene, type CallScenes, person, startCallScenes } from './scene.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

const place = () => placeWith(scenes, scene)

const permutations = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((one, n) => permutations(list.toSpliced(n, 1)).map((rest) => [one, ...rest]))

test.for(permutations([0, 1, 2]).flatMap((order) => [order, order.flatMap((n) => [n, n])]))(
  'reports in the order %j yield one call and one call.completed event',
  async (order) => {
    const id = await place()
    const all = events(id)
    for (const n of order) {
      const [event, call] = all[n] ?? all[0]
      expect(await scene.retell(id, event, call)).toBe(200)
    }
    await scene.advance(id)
    expect(await scene.read(id)).toMatchObject({
      status: 'completed',
      disposition: 'appointment_set',
      duration_seconds: 60,
      ai_disclosed: true,
      summary: 'Wants a showing.',
      summary_source: 'provider',
      sentiment: 'positive',
      extracted: { bedrooms: 3 },
      answered_at: new Date(start).toISOString(),
      ended_at: new Date(start + 60_000).toISOString(),
      transcript: [
        { speaker: 'ai', start_ms: 0, end_ms: 900, text: 'Hi, I am an AI.' },
        { speaker: 'contact', start_ms: 1000, end_ms: 1900, text: 'Hello.' },
      ],
    })
    expect((await scene.events(id)).filter((name) => name === 'call.completed')).toHaveLength(1)
    expect((await scene.agent.get('/calls')).body.data).toHaveLength(1)
  },
)

test('a call completes a minute after its end; a later analysis publishes call.updated', async () => {
  const id = await place()
  const [, [event, call], [later, analyzed]] = events(id)
  await scene.retell(id, event, call)
  await scene.advance(id)
  expect(await scene.events(id)).toEqual(['call.created'])
  scene.app.clock.advance(60_000)
  await scene.advance(id)
  expect(await scene.events(id)).toEqual(['call.created', 'call.completed'])
  await scene.retell(id, later, analyzed)
  expect(await scene.events(id)).toEqual(['call.created', 'call.completed', 'call.updated'])
})

test.for([
  ['dial_no_answer', 'no_answer', 'no_answer'],
  ['dial_busy', 'busy', 'busy'],
  ['invalid_destination', 'failed', 'bad_number'],
  ['voicemail_reached', 'completed', 'left_voicemail'],
] as const)(
  'a call that ended with %s is %s, with the disposition %s',
  async ([reason, status, disposition]) => {
    const id = await place()
    const call = callOf(id, { ...ended, call_status: 'not_connected', disconnection_reason: reason })
    await scene.retell(id, 'call_ended', call)
    expect(await scene.read(id)).toMatchObject({ status, disposition })
  },
)

describe('a call that we did not place', () => {
  const incoming = (from: string) => ({
    ...callOf(null, ended),
    call_id: `call_${from}`,
    direction: 'inbound',
    from_number: from,
    to_number: '+13125550188',
  })

  test('is added by its end report, with the contact of the number, if any', async () => {
    const id = await place()
    for (const from of [person, '+13125550166'])
      for (let n = 0; n < 2; n++) await scene.retell(id, 'call_ended', incoming(from))
    const { data } = (await scene.agent.get('/calls?direction=INBOUND')).body
    expect(data).toMatchObject([
      { from: '+13125550166', contact_id: null, handled_by: 'ai', status: 'completed' },
      { from: person, contact_id: scene.contactId, to: '+13125550188' },
    ])
  })

  test('to a number that is not ours is not recorded', async () => {
    const id = await place()
    await scene.retell(id, 'call_ended', { ...incoming(person), to_number: '+13125550111' })
    expect((await scene.agent.get('/calls?direction=INBOUND')).body.data).toEqual([])
  })
})

test('an unsigned or forged callback returns 403 and changes nothing', async () => {
  const id = await place()
  const before = await scene.read(id)
  const path = `/callbacks/retell/${String((await accountOf(id))[0]?.connection_id)}`
  const body = JSON.stringify({ event: 'call_ended', call: callOf(id, ended) })
  for (const signature of ['', 'v=1,d=00', `v=${scene.app.clock.now().getTime()},d=${'0'.repeat(64)}`]) {
    const headers = { 'x-retell-signature': signature }
    expect((await fetch(`${scene.app.url}${path}`, { method: 'POST', body, headers })).status).toBe(403)
  }
  expect(await scene.read(id)).toEqual(before)
})

const accountOf = (id: string) =>
  asOwner<{ connection_id: string }>(scene.app.databaseUrl, 'select connection_id from calls where id = $1', [
    id,
  ])

describe('a recording', () => {
  const wav = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), Buffer.alloc(50_000, 7)])
  const withRecording = async (content: Buffer | undefined) => {
    const id = await place()
    scenes.providers.script.respond = ({ path }) =>
      path === '/recording.wav' && content !== undefined ? [200, content] : [404]
    const [, [event, call]] = events(id)
    await scene.retell(id, event, { ...call, recording_url: `${scenes.providers.origin}/recording.wav` })
    await scene.advance(id)
    await scene.advance(id)
    return id
  }

  test('is copied once, and served', async () => {
    const id = await withRecording(wav)
    expect(scenes.providers.requested.filter(({ path }) => path === '/recording.wav')).toHaveLength(1)
    const { recording_url } = await scene.read(id)
    const served = await fetch(String(recording_url).replace('https://gable.example.com', scene.app.url))
    expect(served.headers.get('content-type')).toBe('audio/wav')
    expect(Buffer.from(await served.arrayBuffer()).equals(wav)).toBe(true)
  })

  test.for([
    ['that is no recording', Buffer.from('<html>Sign in</html>')],
    ['that is not there', undefined],
  ] as const)('%s is not copied', async ([, content]) => {
    const id = await withRecording(content)
    expect(await scene.read(id)).toMatchObject({ status: 'completed', recording_url: null })
  })

  test('is removed at the provider if the contact was erased during the call', async () => {
    const id = await place()
    const [[started, ongoing], [event, call]] = events(id)
    await scene.retell(id, started, ongoing)
    await scene.agent.delete(`/contacts/${scene.contactId}`)
    // During the conversation, the provider has nothing to delete yet.
    await scene.removeErased()
    scenes.providers.script.respond = ({ method }) => (method === 'DELETE' ? [204] : [404])
    scenes.providers.requested.length = 0
    await scene.retell(id, event, { ...call, recording_url: `${scenes.providers.origin}/recording.wav` })
    await scene.removeErased()
    expect(scenes.providers.requested.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
    await scene.advance(id)
    expect(await scene.read(id)).toMatchObject({
      recording_url: null,
      transcript: null,
      summary: null,
      from: null,
    })
  })

  test('is removed at the provider when the contact is erased, and retried until it succeeds', async () => {
    const id = await withRecording(wav)
    await scene.agent.delete(`/contacts/${scene.contactId}`)
    await scene.removeErased()
    scenes.providers.script.respond = ({ method }) => (method === 'DELETE' ? [204] : [404])
    scene.app.clock.advance(24 * 3_600_000)
    await scene.removeErased()
    await scene.removeErased()
    const deleted = scenes.providers.requested.filter(({ method }) => method === 'DELETE')
    expect(deleted.map(({ path }) => path)).toEqual(['/v2/delete-call/call_1'])
    expect(await scene.read(id)).toMatchObject({ recording_url: null, transcript: null })
  })
})
