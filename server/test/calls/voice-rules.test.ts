import type { CallCreatePhoneCallParams } from 'retell-sdk/resources/call.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { updateWorkspace } from '../../src/modules/workspaces/public.ts'
import { callOf, ended, events, placeWith, turns } from './retell-calls.ts'
import { type CallScene, type CallScenes, startCallScenes } from './scene.ts'
import { mailsTo, ownerWith } from './twilio-calls.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

/** The request to Retell to place the call. */
function asked(): CallCreatePhoneCallParams {
  const one = scenes.providers.requested.find(({ path }) => path === '/v2/create-phone-call')
  return one?.body as unknown as CallCreatePhoneCallParams
}

const named = (name: string) => updateWorkspace(scene.workspace.ctx, { name })

describe('an AI call', () => {
  test('opens with the disclosure, the recording notice, and how to opt out', async () => {
    await named('Lantern & Oak')
    await placeWith(scenes, scene)
    const said =
      'Hello, this is the AI assistant of Lantern & Oak. This call is recorded. Say "stop calling" or press 9 at any time to end such calls. Do you have a minute?'
    expect(asked()).toMatchObject({
      agent_override: { retell_llm: { start_speaker: 'agent', begin_message: said } },
      retell_llm_dynamic_variables: { gable_opening: said },
    } satisfies Partial<CallCreatePhoneCallParams>)
    expect(asked().agent_override?.agent).not.toHaveProperty('data_storage_setting')
  })

  test('that is not recorded announces no recording, and Retell stores no content', async () => {
    await scene.agent.patch('/compliance-settings', { record_calls: false })
    await placeWith(scenes, scene)
    const { agent, retell_llm } = asked().agent_override ?? {}
    expect(agent?.data_storage_setting).toBe('basic_attributes_only')
    expect(retell_llm?.begin_message).toMatch(/AI assistant/)
    expect(retell_llm?.begin_message).not.toMatch(/record/)
  })
})

describe('the owner of the contact gets an email', () => {
  async function after(...reported: (readonly [event: string, call: object])[]) {
    const memberId = await ownerWith(scene, null)
    const id = await placeWith(scenes, scene)
    for (const [event, call] of reported)
      await scene.retell(id, event, { ...call, metadata: { gable_call_id: id } })
    scene.app.clock.advance(61_000)
    await scene.advance(id)
    const sent = await mailsTo(scene, memberId)
    return { call: await scene.read(id), subjects: sent.map(({ subject }) => subject) }
  }

  test('once if the AI did not disclose that it is an AI', async () => {
    const { call, subjects } = await after(...events(null, turns('Hi, it is Anna.', 'Hello.')))
    expect([call['ai_disclosed'], subjects]).toEqual([false, ['The AI did not say that it is an AI']])
  })

  test('but not if the AI disclosed itself, said nothing, or was not yet fully transcribed', async () => {
    const silent = [{ role: 'user', content: 'Hello?', words: [] }]
    const ongoing = callOf(null, { call_status: 'ongoing', transcript_object: turns('Hi') })
    const disclosing = turns('Hi, I am an AI.', 'Hello.')
    for (const [first, then, ai_disclosed] of [
      [ongoing, disclosing, true],
      [callOf(null, { call_status: 'ongoing' }), silent, null],
    ] as const) {
      scene = await scenes.open()
      const over = callOf(null, { ...ended, transcript_object: then })
      const { call, subjects } = await after(['call_started', first], ['call_ended', over])
      expect(call).toMatchObject({ status: 'completed', ai_disclosed })
      expect(subjects).toEqual([])
    }
  })
})
