import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { readMails } from '../../src/modules/mail/public.ts'
import { events, placeWith, turns } from './retell-calls.ts'
import { type CallScene, type CallScenes, person, startCallScenes } from './scene.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

const place = () => placeWith(scenes, scene)

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

  test('"stop calling" adds an internal do-not-call entry and cancels waiting calls and texts', async () => {
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

  test('"stop calling" counts even if the contact was erased during the call', async () => {
    const id = await place()
    await scene.agent.delete(`/contacts/${scene.contactId}`)
    const [, [event, call]] = events(id, turns('Hi, I am an AI.', 'Please stop calling me.', 'Goodbye.'))
    await scene.retell(id, event, call)
    expect(await held()).toEqual([{ kind: 'internal_dnc' }])
    expect(await scene.read(id)).toMatchObject({ transcript: null, from: null, to: null })
    expect(await scene.events(id)).not.toContain('call.classified')
  })

  test('a wrong number is removed from the contact and suppressed', async () => {
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

    test('if the transcript arrives or grows after the end of the call', async () => {
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

    test('after 2,000 turns or late in a long turn', async () => {
      const long = Array.from({ length: 2100 }, (_, n) => `Line ${n}.`)
      const much = 'We like gardens and lakes. '.repeat(400)
      for (const said of [
        [...long, 'AI', 'Stop calling me.'],
        ['AI', `${much}Stop calling me. ${much}`],
      ]) {
        scene = await scenes.open()
        const id = await place()
        await ends(id, turns(...said))
        expect(await held()).toEqual([{ kind: 'internal_dnc' }])
      }
    })

    test.for<[string, string, boolean]>([
      ['9', 'where a key is pressed for it', true],
      ['99#', 'where the key is pressed again and again', true],
      ['9 1', 'where another key is pressed later', true],
      ['60649', 'and not taken from a ZIP code', false],
      ['1', 'and not taken from another key', false],
    ])('%s: %s', async ([digits, , isStop]) => {
      const id = await place()
      const said = turns('Hi, I am an AI.', 'Hello.')
      const keys = [...digits].map((digit) => (digit === ' ' ? said[0] : { role: 'dtmf', digit }))
      await ends(id, said, { transcript_with_tool_calls: [...said, ...keys] })
      expect(await held()).toEqual(isStop ? [{ kind: 'internal_dnc' }] : [])
      expect(await scene.read(id)).toMatchObject({ disposition: isStop ? 'do_not_call' : null })
    })

    test('if the body is split in the middle of a character', async () => {
      const id = await place()
      const [, [event, call]] = events(
        id,
        turns('Hi.', 'Señora García: ¡no me llamen más, por favor! 🛑', 'Adiós.'),
      )
      const body = Buffer.from(JSON.stringify({ event, call }))
      for (const at of [body.indexOf('ñ') + 1, body.indexOf('🛑') + 2])
        expect(await scene.retellIn([body.subarray(0, at), body.subarray(at)], id)).toBe(200)
      expect(await held()).toEqual([{ kind: 'internal_dnc' }])
      const { transcript } = await scene.read(id)
      expect(JSON.stringify(transcript)).toContain('Señora García')
    })

    test('if only the analysis reports it, and is recorded once', async () => {
      const id = await place()
      const said = { call_analysis: { custom_analysis_data: { disposition: 'do_not_call' } } }
      const [, , [event, call]] = events(id)
      for (let n = 0; n < 2; n++) await scene.retell(id, event, { ...call, ...said })
      expect(await held()).toEqual([{ kind: 'internal_dnc' }])
    })

    test('if the provider reports another disposition, which does not override it', async () => {
      const id = await place()
      const [, , [event, call]] = events(id, stop())
      await scene.retell(id, event, call)
      expect(await held()).toEqual([{ kind: 'internal_dnc' }])
      expect(await scene.read(id)).toMatchObject({ disposition: 'do_not_call' })
    })
  })

  test('"not interested" pauses the AI and automations, cancels automated marketing, and emails the owner', async () => {
    const owner = await scene.workspace.member()
    await scene.agent.patch(`/contacts/${scene.contactId}`, {
      owner_id: owner.id,
      ai_auto_response: 'active',
    })
    const text = idOf(await scene.agent.post('/messages', { channel: 'sms', to: person, body: 'Hello.' }))
    const byMachine = idOf(await scene.agent.post('/messages', { channel: 'sms', to: person, body: 'News.' }))
    await asOwner(scene.app.databaseUrl, "update messages set source = 'automation' where id = $1", [
      byMachine,
    ])
    const waiting = idOf(await scene.agent.post('/calls', { to: person }))
    const automation = idOf(
      await scene.agent.post('/automations', {
        name: 'Nurture',
        definition: { steps: [{ key: 'pause', type: 'wait', for: { minutes: 60 } }] },
      }),
    )
    await scene.agent.post(`/automations/${automation}/publish`)
    await scene.agent.post(`/automations/${automation}/enable`)
    const enrolled = await scene.agent.post(`/automations/${automation}/enroll`, {
      contact_id: scene.contactId,
    })
    await say('No thanks, I am not interested.')
    const statusOf = async (path: string) => (await scene.agent.get(path)).body.status
    expect(await statusOf(`/messages/${text}`)).toBe('queued')
    expect(await statusOf(`/messages/${byMachine}`)).toBe('cancelled')
    expect(await statusOf(`/calls/${waiting}`)).toBe('cancelled')
    expect(await statusOf(`/enrollments/${idOf(enrolled)}`)).toBe('paused')
    const { ai_auto_response, ai_paused_reason } = (await scene.agent.get(`/contacts/${scene.contactId}`))
      .body
    expect([ai_auto_response, ai_paused_reason]).toEqual(['paused', 'review'])
    expect(await held()).toEqual([])
    const mails = (await readMails(scene.app.runtime)).flatMap(({ mail }) =>
      mail?.to === owner.email ? mail : [],
    )
    expect(mails).toMatchObject([{ subject: 'Not interested' }])
  })

  test('what the AI says stops nothing', async () => {
    const id = await place()
    const [, [event, call]] = events(id, turns('Say stop calling me at any time.', 'Hello.'))
    await scene.retell(id, event, call)
    expect(await held()).toEqual([])
  })
})
