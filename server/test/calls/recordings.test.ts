import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { callOf, ended, events, placeWith } from './retell-calls.ts'
import { type CallScene, type CallScenes, person, startCallScenes } from './scene.ts'
import { begins, callers, ends, memberPhone, memberWith, members, ownerWith } from './twilio-calls.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

const wav = Buffer.from('RIFF\0\0\0\0WAVEfmt ')
const sid = `CA${'0123456789abcdef'.repeat(2)}`
const leg = { ParentCallSid: sid, CallSid: 'CA2' }

const requested = (path: RegExp) => scenes.providers.requested.filter((one) => path.test(one.path)).length

/** A member's call that was answered and has ended, but whose recording was not reported. */
async function ofMember(): Promise<string> {
  const member_id = await memberWith(scene, memberPhone)
  scenes.providers.script.respond = () => [201, { sid, status: 'queued' }]
  const id = idOf(await scene.agent.post('/calls', { to: person, member_id }))
  await scene.advance(id)
  await scene.twilio(id, 'contact', { ...leg, CallStatus: 'in-progress' })
  await scene.twilio(id, 'contact', { ...leg, CallStatus: 'completed', CallDuration: '42' })
  return id
}

/** Sets Twilio's responses about a finished call and its recordings. */
function twilioSays(recordings: object[], second?: object) {
  scenes.providers.script.respond = ({ path }) => {
    if (path.includes('ParentCallSid='))
      return [200, { calls: [second ?? { status: 'completed', duration: '42' }] }]
    if (path.endsWith('/Recordings.json')) return [200, { recordings }]
    return path.endsWith('/Recordings/RE1') ? [200, wav] : [200, { status: 'completed' }]
  }
}

/** Checks the call once more after its end, and again for what that led to. */
async function processAfterEnd(id: string, ms = 61_000): Promise<Record<string, unknown>> {
  scene.app.clock.advance(ms)
  await scene.advance(id)
  await scene.advance(id)
  return scene.read(id)
}

const copied = { recording_url: expect.any(String), recording_error: null }
const none = { recording_url: null }

describe('without a report', () => {
  test('a Twilio recording is requested once when the call is complete', async () => {
    const id = await ofMember()
    twilioSays([
      { sid: 'RE0', status: 'deleted' },
      { sid: 'RE1', status: 'completed' },
    ])
    expect(await processAfterEnd(id)).toMatchObject(copied)
    await processAfterEnd(id)
    expect(requested(/Recordings\.json$/)).toBe(1)
    expect(await scene.events(id)).toEqual(['call.created', 'call.completed', 'call.updated'])
  })

  test('a missing recording is not requested again', async () => {
    const id = await ofMember()
    twilioSays([])
    for (let hours = 0; hours < 5; hours++) await processAfterEnd(id, 3_600_000)
    expect(await scene.read(id)).toMatchObject({ status: 'completed', duration_seconds: 42, ...none })
    expect(requested(/Recordings\.json$/)).toBe(1)
  })

  test.for([
    ['the provider cannot be reached', () => false],
    ['the provider does not list recordings', (path: string) => !path.endsWith('/Recordings.json')],
  ] as const)('the call completes though %s, and the recording follows later', async ([, isServed]) => {
    const id = await ofMember()
    twilioSays([{ sid: 'RE1' }])
    const { respond } = scenes.providers.script
    scenes.providers.script.respond = (one) => (isServed(one.path) ? respond(one) : [503])
    expect(await processAfterEnd(id)).toMatchObject(none)
    expect(await scene.events(id)).toEqual(['call.created', 'call.completed'])
    twilioSays([{ sid: 'RE1' }])
    expect(await processAfterEnd(id, 3_600_000)).toMatchObject(copied)
  })

  test('a caller’s message is requested as well', async () => {
    await ownerWith(scene, null)
    await scene.incoming('incoming', begins)
    await scene.incoming('ended', ends)
    const { data } = (await scene.agent.get('/calls')).body
    twilioSays([{ sid: 'RE1' }], { sid: members, status: 'no-answer' })
    expect(await processAfterEnd(String(data[0].id))).toMatchObject({
      status: 'no_answer',
      disposition: 'left_voicemail',
      ...copied,
    })
    expect(requested(new RegExp(`/Calls/${callers}/Recordings`))).toBe(1)
  })

  test('the analysis and recording of an AI call are requested before it completes', async () => {
    const id = await placeWith(scenes, scene)
    const [, [event, over], [, analyzed]] = events(id)
    await scene.retell(id, event, over)
    const recording_url = `${scenes.providers.origin}/recording.wav`
    scenes.providers.script.respond = ({ path }) =>
      path === '/v2/get-call/call_1' ? [200, { ...analyzed, recording_url }] : [200, wav]
    expect(await processAfterEnd(id)).toMatchObject({ summary: 'Wants a showing.', ...copied })
    await processAfterEnd(id)
    expect(requested(/get-call/)).toBe(1)
    expect((await scene.events(id)).slice(0, 2)).toEqual(['call.created', 'call.completed'])
  })

  test('nothing is requested for a call that no one answered', async () => {
    const id = await placeWith(scenes, scene)
    const end = { call_status: 'not_connected', disconnection_reason: 'dial_no_answer' }
    await scene.retell(id, 'call_ended', callOf(id, end))
    scenes.providers.requested.length = 0
    await processAfterEnd(id)
    expect(scenes.providers.requested).toEqual([])
  })
})

const settings = (record_calls: boolean) => scene.agent.patch('/compliance-settings', { record_calls })

/** The queued removals of a call at its provider. */
const removals = (id: string) =>
  asOwner(scene.app.databaseUrl, 'select from call_removals where call_id = $1', [id])

describe('a recording is kept only if it was announced, whatever the later setting', () => {
  test.for([true, false])('for a member’s call: %s', async (isAnnounced) => {
    await settings(isAnnounced)
    const id = await ofMember()
    await settings(!isAnnounced)
    const RecordingUrl = `${scenes.providers.origin}/2010-04-01/Accounts/${await account()}/Recordings/RE1`
    await scene.twilio(id, 'recording', { CallSid: sid, RecordingUrl })
    twilioSays([{ sid: 'RE1' }])
    expect(await processAfterEnd(id)).toMatchObject(isAnnounced ? copied : none)
    expect(await removals(id)).toHaveLength(isAnnounced ? 0 : 1)
  })

  test.for([true, false])('for an AI call: %s', async (isAnnounced) => {
    await settings(isAnnounced)
    const id = await placeWith(scenes, scene)
    await settings(!isAnnounced)
    const [, , [event, analyzed]] = events(id)
    await scene.retell(id, event, { ...analyzed, recording_url: `${scenes.providers.origin}/recording.wav` })
    scenes.providers.script.respond = () => [200, wav]
    expect(await processAfterEnd(id)).toMatchObject(isAnnounced ? copied : none)
    expect(await removals(id)).toHaveLength(isAnnounced ? 0 : 1)
  })

  test.for([true, false])('for an incoming call that Twilio asks about twice: %s', async (isAnnounced) => {
    await ownerWith(scene, memberPhone)
    await settings(isAnnounced)
    const first = await scene.incoming('incoming', begins)
    await settings(!isAnnounced)
    expect(await scene.incoming('incoming', begins)).toEqual(first)
    expect(first.body.includes('This call is recorded')).toBe(isAnnounced)
    const { data } = (await scene.agent.get('/calls')).body
    const id = String(data[0].id)
    const talked = { CallSid: members, ParentCallSid: callers, CallStatus: 'completed', CallDuration: '42' }
    await scene.incoming('leg', talked)
    const RecordingUrl = `${scenes.providers.origin}/2010-04-01/Accounts/${await account()}/Recordings/RE1`
    await scene.incoming('recording', { CallSid: callers, RecordingUrl })
    twilioSays([{ sid: 'RE1' }])
    expect(await processAfterEnd(id)).toMatchObject(isAnnounced ? copied : none)
    expect(await removals(id)).toHaveLength(isAnnounced ? 0 : 1)
  })
})

async function account(): Promise<string> {
  const [{ name } = { name: '' }] = await asOwner<{ name: string }>(
    scene.app.databaseUrl,
    "select account as name from connections where workspace_id = $1 and provider = 'twilio'",
    [scene.workspace.id],
  )
  return name
}

describe('the content of a recording', () => {
  /** An AI call whose recording the provider serves like this. */
  async function recorded(serve: () => [number, unknown?]): Promise<string> {
    const id = await placeWith(scenes, scene)
    scenes.providers.script.respond = ({ path }) => (path === '/recording.wav' ? serve() : [404])
    const [, , [event, call]] = events(id)
    await scene.retell(id, event, { ...call, recording_url: `${scenes.providers.origin}/recording.wav` })
    await scene.advance(id)
    return id
  }

  test.for([
    ['MP3 with a tag', Buffer.from(`ID3${'\0'.repeat(40)}`), 'audio/mpeg'],
    ['MP3 without one', Buffer.from([0xff, 0xfb, 0x90, ...Array(40).fill(0)]), 'audio/mpeg'],
    ['OGG', Buffer.from(`OggS${'\0'.repeat(40)}`), 'audio/ogg'],
    ['WAV', wav, 'audio/wav'],
  ] as const)('may be %s', async ([, content, type]) => {
    const id = await recorded(() => [200, content])
    const { recording_url } = await scene.read(id)
    const served = await fetch(String(recording_url).replace('https://gable.example.com', scene.app.url))
    expect(served.headers.get('content-type')).toBe(type)
    expect(Buffer.from(await served.arrayBuffer()).equals(content)).toBe(true)
  })

  test.for([
    ['more than 200 MB', () => Readable.from(large()), 'too_large'],
    ['no recording', () => Buffer.from('<html>Sign in</html>'), 'not_a_recording'],
  ] as const)('is given up at once if it is %s, with an error on the call', async ([, content, error]) => {
    let asked = 0
    const id = await recorded(() => {
      asked++
      return [200, content()]
    })
    for (let n = 0; n < 3; n++) await processAfterEnd(id, 600_000)
    expect([asked, await scene.read(id)]).toMatchObject([1, { ...none, recording_error: error }])
    const [, [event, call]] = events(id)
    await scene.retell(id, event, { ...call, recording_url: `${scenes.providers.origin}/recording.wav` })
    await processAfterEnd(id)
    expect(asked).toBe(1)
  })

  test('is never requested from another account’s address, with an error on the call', async () => {
    const id = await ofMember()
    const RecordingUrl = `${scenes.providers.origin}/2010-04-01/Accounts/AC1/Recordings/RE1`
    await scene.twilio(id, 'recording', { CallSid: sid, RecordingUrl })
    twilioSays([])
    scenes.providers.requested.length = 0
    expect(await processAfterEnd(id)).toMatchObject({ ...none, recording_error: 'not_of_provider' })
    expect(scenes.providers.requested).toEqual([])
  })

  test('that is not available yet is copied later, which publishes call.updated', async () => {
    const answers: [number, unknown?][] = [[404], [503], [200, wav]]
    const id = await recorded(() => answers.shift() ?? [500])
    for (let n = 0; n < 2; n++) {
      expect(await scene.read(id)).toMatchObject({ ...none, recording_error: null })
      scene.app.clock.advance(600_000)
      await scene.advance(id)
    }
    expect(await scene.read(id)).toMatchObject(copied)
    expect(await scene.events(id)).toEqual(['call.created', 'call.completed', 'call.updated'])
  })

  test('that never appears is given up after a day; a later report of another one is followed', async () => {
    const id = await recorded(() => [404])
    await processAfterEnd(id, 25 * 3_600_000)
    expect(await scene.read(id)).toMatchObject({ ...none, recording_error: 'unavailable' })
    scenes.providers.script.respond = () => [200, wav]
    const [, [event, call]] = events(id)
    await scene.retell(id, event, {
      ...call,
      ...ended,
      recording_url: `${scenes.providers.origin}/other.wav`,
    })
    expect(await processAfterEnd(id)).toMatchObject(copied)
  })
})

function* large(): Generator<Buffer> {
  yield wav
  const piece = Buffer.alloc(2 ** 20)
  for (let n = 0; n <= 200; n++) yield piece
}
