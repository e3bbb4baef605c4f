import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { found } from '#kernel/errors.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { readMails } from '../../src/modules/mail/public.ts'
import { callPeriodicJobs } from '../../src/modules/calls/jobs.ts'
import { type CallScene, person, startCallScenes } from './scene.ts'

let scenes: Awaited<ReturnType<typeof startCallScenes>>
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

const start = Date.parse('2026-03-02T15:00:05.000Z')

/** A call that Retell has taken. */
async function place(): Promise<string> {
  scenes.providers.script.respond = ({ path }) =>
    path === '/v2/create-phone-call' ? [201, { call_id: 'call_1', call_status: 'registered' }] : [404]
  const id = idOf(await scene.agent.post('/calls', { to: person }))
  await scene.tend(id)
  // A second after the end.
  scene.app.clock.set('2026-03-02T15:01:06.000Z')
  return id
}

const turns = (...said: string[]) =>
  said.map((content, n) => ({
    role: n % 2 === 0 ? 'agent' : 'user',
    content,
    words: [{ start: n, end: n + 0.9 }],
  }))

const callOf = (id: string | null, more: object = {}) => ({
  call_id: 'call_1',
  direction: 'outbound',
  from_number: '+13125550188',
  to_number: person,
  start_timestamp: start,
  metadata: id === null ? {} : { gable_call_id: id },
  ...more,
})

const ended = {
  call_status: 'ended',
  disconnection_reason: 'user_hangup',
  end_timestamp: start + 60_000,
  duration_ms: 60_000,
}
const analysis = {
  call_analysis: {
    call_summary: 'Wants a showing.',
    user_sentiment: 'Positive',
    custom_analysis_data: { disposition: 'appointment_set', bedrooms: 3 },
  },
}
const events = (id: string | null, said = turns('Hi, I am an AI.', 'Hello.')) =>
  [
    ['call_started', callOf(id, { call_status: 'ongoing' })],
    ['call_ended', callOf(id, { ...ended, transcript_object: said })],
    ['call_analyzed', callOf(id, { ...ended, ...analysis, transcript_object: said })],
  ] as const

const permutations = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((one, n) => permutations(list.toSpliced(n, 1)).map((rest) => [one, ...rest]))

test.for(permutations([0, 1, 2]).flatMap((order) => [order, order.flatMap((n) => [n, n])]))(
  'reports in the order %j are one call and one event',
  async (order) => {
    const id = await place()
    const all = events(id)
    for (const n of order) {
      const [event, call] = all[n] ?? all[0]
      expect(await scene.retell(id, event, call)).toBe(200)
    }
    await scene.tend(id)
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

test('without an analysis a call is complete a minute after its end; an analysis that comes later is call.updated', async () => {
  const id = await place()
  const [, [event, call], [later, analyzed]] = events(id)
  await scene.retell(id, event, call)
  await scene.tend(id)
  expect(await scene.events(id)).toEqual(['call.created'])
  scene.app.clock.advance(60_000)
  await scene.tend(id)
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

  test('is added by its end alone, with the contact of the number; an unknown number has none', async () => {
    const id = await place()
    for (const from of [person, '+13125550166'])
      for (let n = 0; n < 2; n++) await scene.retell(id, 'call_ended', incoming(from))
    const { data } = (await scene.agent.get('/calls?direction=INBOUND')).body
    expect(data).toMatchObject([
      { from: '+13125550166', contact_id: null, handled_by: 'ai', status: 'completed' },
      { from: person, contact_id: scene.contactId, to: '+13125550188' },
    ])
  })

  test('with a number that is not ours is not recorded', async () => {
    const id = await place()
    await scene.retell(id, 'call_ended', { ...incoming(person), to_number: '+13125550111' })
    expect((await scene.agent.get('/calls?direction=INBOUND')).body.data).toEqual([])
  })
})

describe('what the person says', () => {
  const say = async (text: string) => {
    const id = await place()
    const [, [event, call]] = events(id, turns('Hi, I am an AI.', text, 'Goodbye.'))
    await scene.retell(id, event, call)
    return id
  }
  const held = () =>
    asOwner<{ kind: string }>(
      scene.app.databaseUrl,
      'select kind from suppressions where workspace_id = $1',
      [scene.workspace.id],
    )

  test('"stop calling" is on the internal do-not-call list with the report, and stops what waits', async () => {
    await scene.agent.patch(`/contacts/${scene.contactId}`, { ai_auto_response: 'active' })
    const text = idOf(await scene.agent.post('/messages', { channel: 'sms', to: person, body: 'Hello.' }))
    const waiting = idOf(await scene.agent.post('/calls', { to: person }))
    const id = await say('Please stop calling me.')
    expect(await held()).toEqual([{ kind: 'internal_dnc' }])
    expect(await scene.read(id)).toMatchObject({ disposition: 'do_not_call' })
    expect(await scene.read(waiting)).toMatchObject({ status: 'cancelled' })
    expect((await scene.agent.get(`/messages/${text}`)).body.status).toBe('cancelled')
    expect((await scene.agent.get(`/contacts/${scene.contactId}`)).body.ai_auto_response).toBe('paused')
    expect(await scene.agent.post('/calls', { to: person })).toMatchObject({
      status: 422,
      body: { error: { reason: 'suppressed_internal_dnc' } },
    })
  })

  test('a wrong number leaves the contact, and is not called again', async () => {
    const id = await say('You have the wrong number.')
    expect(await held()).toEqual([{ kind: 'reassigned_number' }])
    expect(await scene.read(id)).toMatchObject({ disposition: 'wrong_number' })
    expect((await scene.agent.get(`/contacts/${scene.contactId}`)).body.phone).toBeNull()
  })

  test.for([
    'Can you stop by on Saturday?',
    'Do not stop, that is interesting.',
    'Yes.',
    'Start with the price.',
  ])('stops nothing: %s', async (text) => {
    await say(text)
    expect(await held()).toEqual([])
  })

  describe('is never lost', () => {
    const ends = async (id: string, said: ReturnType<typeof turns>, more: object = {}) => {
      const [, [event, call]] = events(id, said)
      await scene.retell(id, event, { ...call, ...more })
    }
    const stop = () => turns('Hi, I am an AI.', 'Please stop calling me.', 'Goodbye.')

    test('where the transcript comes after the end, or grows after it', async () => {
      for (const first of [[], turns('Hi, I am an AI.', 'Hello.')]) {
        scene = await scenes.open()
        const id = await place()
        await ends(id, first)
        expect(await held()).toEqual([])
        const [, , [event, call]] = events(id, stop())
        await scene.retell(id, event, call)
        expect(await held()).toEqual([{ kind: 'internal_dnc' }])
        expect(await scene.read(id)).toMatchObject({ disposition: 'do_not_call' })
      }
    })

    test('where it is said after 2,000 turns, or late in a long turn', async () => {
      const long = Array.from({ length: 2100 }, (_, n) => `Line ${n}.`)
      const much = 'We like gardens and lakes. '.repeat(400)
      for (const said of [[...long, 'AI', 'Stop calling me.'], ['AI', `${much}Stop calling me. ${much}`]]) {
        scene = await scenes.open()
        const id = await place()
        await ends(id, turns(...said))
        expect(await held()).toEqual([{ kind: 'internal_dnc' }])
      }
    })

    test('where the body comes in pieces that cut a character in two', async () => {
      const id = await place()
      const [, [event, call]] = events(id, turns('Hi.', 'Señora García: ¡no me llamen más, por favor! 🛑', 'Adiós.'))
      const body = Buffer.from(JSON.stringify({ event, call }))
      for (const at of [body.indexOf('ñ') + 1, body.indexOf('🛑') + 2])
        expect(await scene.retellIn([body.subarray(0, at), body.subarray(at)], id)).toBe(200)
      expect(await held()).toEqual([{ kind: 'internal_dnc' }])
      const { transcript } = await scene.read(id)
      expect(JSON.stringify(transcript)).toContain('Señora García')
    })

    test('where only the analysis says so, and once', async () => {
      const id = await place()
      const said = { call_analysis: { custom_analysis_data: { disposition: 'do_not_call' } } }
      const [, , [event, call]] = events(id)
      for (let n = 0; n < 2; n++) await scene.retell(id, event, { ...call, ...said })
      expect(await held()).toEqual([{ kind: 'internal_dnc' }])
    })

    test('where the provider has another result, which does not lower it', async () => {
      const id = await place()
      const [, , [event, call]] = events(id, stop())
      await scene.retell(id, event, call)
      expect(await held()).toEqual([{ kind: 'internal_dnc' }])
      expect(await scene.read(id)).toMatchObject({ disposition: 'do_not_call' })
    })
  })

  test('"not interested" pauses the AI and automations, cancels marketing of machines alone, and its owner gets an email', async () => {
    const owner = await scene.workspace.member()
    await scene.agent.patch(`/contacts/${scene.contactId}`, { owner_id: owner.id, ai_auto_response: 'active' })
    const text = idOf(await scene.agent.post('/messages', { channel: 'sms', to: person, body: 'Hello.' }))
    const byMachine = idOf(await scene.agent.post('/messages', { channel: 'sms', to: person, body: 'News.' }))
    await asOwner(scene.app.databaseUrl, "update messages set source = 'automation' where id = $1", [byMachine])
    const waiting = idOf(await scene.agent.post('/calls', { to: person }))
    const automation = idOf(
      await scene.agent.post('/automations', {
        name: 'Nurture',
        triggers: [],
        steps: [{ key: 'wait', type: 'wait', minutes: 60 }],
      }),
    )
    await scene.agent.post(`/automations/${automation}/publish`)
    await scene.agent.post(`/automations/${automation}/enable`)
    const enrolled = await scene.agent.post(`/automations/${automation}/enroll`, { contact_id: scene.contactId })
    await say('No thanks, I am not interested.')
    const statusOf = async (path: string) => (await scene.agent.get(path)).body.status
    expect(await statusOf(`/messages/${text}`)).toBe('queued')
    expect(await statusOf(`/messages/${byMachine}`)).toBe('cancelled')
    expect(await statusOf(`/calls/${waiting}`)).toBe('cancelled')
    expect(await statusOf(`/enrollments/${idOf(enrolled)}`)).toBe('paused')
    const { ai_auto_response, ai_paused_reason } = (await scene.agent.get(`/contacts/${scene.contactId}`)).body
    expect([ai_auto_response, ai_paused_reason]).toEqual(['paused', 'review'])
    expect(await held()).toEqual([])
    const mails = (await readMails(scene.app.runtime)).flatMap(({ mail }) => mail?.to === owner.email ? mail : [])
    expect(mails).toMatchObject([{ subject: 'Not interested' }])
  })

  test('what the AI says stops nothing', async () => {
    const id = await place()
    const [, [event, call]] = events(id, turns('Say stop calling me at any time.', 'Hello.'))
    await scene.retell(id, event, call)
    expect(await held()).toEqual([])
  })
})

test('a callback that is not signed by the provider is a 403 and changes nothing', async () => {
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
    await scene.tend(id)
    await scene.tend(id)
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

  test('goes at the provider as well when the contact was erased during the call', async () => {
    const id = await place()
    const [[started, ongoing], [event, call]] = events(id)
    await scene.retell(id, started, ongoing)
    await scene.agent.delete(`/contacts/${scene.contactId}`)
    const removal = async () =>
      found(callPeriodicJobs({ ...scene.app, anonymousRateLimit: 1 })[1]).handle(scene.app.runtime)
    // While people talk, the provider has nothing to delete.
    await removal()
    scenes.providers.script.respond = ({ method }) => (method === 'DELETE' ? [204] : [404])
    scenes.providers.requested.length = 0
    await scene.retell(id, event, { ...call, recording_url: `${scenes.providers.origin}/recording.wav` })
    await removal()
    expect(scenes.providers.requested.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
    await scene.tend(id)
    expect(await scene.read(id)).toMatchObject({
      recording_url: null,
      transcript: null,
      summary: null,
      from: null,
    })
  })

  test('goes at the provider as well when the contact is erased, and is asked for until it is', async () => {
    const id = await withRecording(wav)
    await scene.agent.delete(`/contacts/${scene.contactId}`)
    const removal = async () =>
      found(callPeriodicJobs({ ...scene.app, anonymousRateLimit: 1 })[1]).handle(scene.app.runtime)
    await removal()
    scenes.providers.script.respond = ({ method }) => (method === 'DELETE' ? [204] : [404])
    scene.app.clock.advance(24 * 3_600_000)
    await removal()
    await removal()
    const deleted = scenes.providers.requested.filter(({ method }) => method === 'DELETE')
    expect(deleted.map(({ path }) => path)).toEqual(['/v2/delete-call/call_1'])
    expect(await scene.read(id)).toMatchObject({ recording_url: null, transcript: null })
  })
})
