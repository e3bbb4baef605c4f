import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { idOf } from '#test/support/fixtures.ts'
import { setMemberActive } from '../../src/modules/workspaces/public.ts'
import { type CallScene, type CallScenes, person, startCallScenes } from './scene.ts'
import {
  begins,
  caller,
  callers,
  complete,
  ends,
  mailsTo,
  memberPhone,
  memberWith,
  ownerWith,
  saysOfLegs,
} from './twilio-calls.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

describe('a member’s call whose response was lost, within half a minute of another one,', () => {
  const [sidA, sidB] = [`CA${'a'.repeat(32)}`, `CA${'b'.repeat(32)}`]
  const createdAt = (seconds: number) => `Mon, 02 Mar 2026 15:00:${String(seconds).padStart(2, '0')} +0000`

  /** Places both calls, ten seconds apart. The response to the first is lost, and to the second if `lost.b`. */
  async function place(lost: { b: boolean }) {
    const member_id = await memberWith(scene, memberPhone)
    const idA = idOf(await scene.agent.post('/calls', { to: person, member_id }))
    scenes.providers.script.respond = () => 'reset'
    await scene.advance(idA)
    scene.app.clock.advance(10_000)
    const idB = idOf(await scene.agent.post('/calls', { to: '+13125550179', member_id }))
    if (!lost.b) scenes.providers.script.respond = () => [201, { sid: sidB, status: 'queued' }]
    await scene.advance(idB)
    scene.app.clock.advance(30_000)
    return { idA, idB }
  }

  /** Sets the calls in Twilio's list, newest first. */
  function lists(...calls: [sid: string, seconds: number][]): void {
    scenes.providers.script.respond = ({ path }) => {
      if (path.includes('To='))
        return [200, { calls: calls.map(([sid, at]) => ({ sid, date_created: createdAt(at) })) }]
      if (path.includes('ParentCallSid=')) return [200, { calls: [] }]
      return [200, { status: 'in-progress' }]
    }
  }

  const sidOf = async (id: string) => (await scene.read(id))['provider_call_id']

  test('is not mistaken for the other', async () => {
    const { idA } = await place({ b: false })
    lists([sidB, 10], [sidA, 0])
    await scene.advance(idA)
    expect(await sidOf(idA)).toBe(sidA)
  })

  test('is not mistaken for the other even if Twilio never had it', async () => {
    const { idA, idB } = await place({ b: false })
    lists([sidB, 10])
    await scene.advance(idA)
    expect([await sidOf(idA), await sidOf(idB)]).toEqual([null, sidB])
    expect(await scene.read(idA)).toMatchObject({ status: 'unknown' })
  })

  test('is matched by start time if the response to the other was lost too', async () => {
    const { idA, idB } = await place({ b: true })
    lists([sidB, 10], [sidA, 0])
    await scene.advance(idB)
    await scene.advance(idA)
    expect([await sidOf(idA), await sidOf(idB)]).toEqual([sidA, sidB])
  })

  test('is found even if the member has been deactivated', async () => {
    const { idA } = await place({ b: false })
    const member = String((await scene.read(idA))['member_id'])
    await setMemberActive(scene.workspace.ctx, member, false)
    lists([sidA, 0])
    await scene.advance(idA)
    expect(await sidOf(idA)).toBe(sidA)
  })
})

describe('an incoming call that is looked up at Twilio', () => {
  /** An incoming call for which a member's phone rings. */
  async function ringing() {
    const memberId = await ownerWith(scene, memberPhone)
    await scene.incoming('incoming', begins)
    const { data } = (await scene.agent.get('/calls')).body
    return { memberId, id: String(data[0].id) }
  }

  test.for(['busy', 'failed', 'no-answer', 'canceled'])(
    'stays open after the member’s phone was %s until the caller has left a message',
    async (status) => {
      const { id, memberId } = await ringing()
      await scene.incoming('dialed', { ...caller, DialCallStatus: status })
      saysOfLegs(scenes, { callers: 'in-progress', members: status })
      await complete(scene, id)
      await complete(scene, id)
      expect(await scene.read(id)).toMatchObject({ status: 'ringing', ended_at: null })
      const RecordingUrl = `https://api.twilio.com/2010-04-01/Accounts/AC1/Recordings/RE1`
      const voicemail = { CallSid: callers, RecordingUrl, RecordingStatus: 'completed' }
      await scene.incoming('voicemail', voicemail)
      await scene.incoming('ended', ends)
      await complete(scene, id)
      expect(await scene.read(id)).toMatchObject({ status: 'no_answer', disposition: 'left_voicemail' })
      expect(await mailsTo(scene, memberId)).toMatchObject([
        { text: expect.stringContaining('They left a message.') },
      ])
    },
  )

  test.for([
    ['in-progress', 'in-progress', 'in_progress', null],
    ['in-progress', 'ringing', 'ringing', null],
    ['in-progress', 'completed', 'ringing', null],
    ['completed', 'completed', 'completed', 42],
    ['completed', 'busy', 'no_answer', 0],
    ['completed', 'failed', 'no_answer', 0],
    ['completed', 'no-answer', 'no_answer', 0],
    ['completed', undefined, 'no_answer', 0],
    ['canceled', 'canceled', 'no_answer', 0],
  ] as const)(
    'with the caller’s leg %s and the member’s %s, is %s',
    async ([of, leg, status, duration_seconds]) => {
      const { id } = await ringing()
      saysOfLegs(scenes, { callers: of, members: leg })
      await complete(scene, id)
      expect(await scene.read(id)).toMatchObject({ status, duration_seconds })
    },
  )
})
