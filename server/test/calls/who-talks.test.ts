import type { CallCreatePhoneCallParams } from 'retell-sdk/resources/call.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { idOf } from '#test/support/fixtures.ts'
import { planCall } from '../../src/modules/calls/plan-call.ts'
import { createPersona } from '../../src/modules/personas/public.ts'
import { createConnection, createSender } from '../../src/modules/senders/public.ts'
import { type CallScene, type CallScenes, person, startCallScenes } from './scene.ts'
import { memberPhone, memberWith } from './twilio-calls.ts'

let scenes: CallScenes
let scene: CallScene

beforeAll(async () => void (scenes = await startCallScenes()))
beforeEach(async () => void (scene = await scenes.open()))
afterAll(() => scenes[Symbol.asyncDispose]())

const placed = () => scenes.providers.requested.filter(({ path }) => path === '/v2/create-phone-call')

const alder = (mode: 'off' | 'approve', disclosure = 'This is Alder, the AI assistant of Lantern & Oak.') =>
  createPersona(scene.workspace.ctx, { name: 'Alder', disclosure, mode })

async function expectRejected(draft: object, status: number, error: object): Promise<void> {
  for (const path of ['/calls', '/calls/preflight'])
    expect(await scene.agent.post(path, { to: person, ...draft })).toMatchObject({ status, body: { error } })
}

describe('turning the AI off', () => {
  const turn = (enabled: boolean) => scene.agent.patch('/ai-settings', { enabled })

  test('rejects new AI calls but not calls by members', async () => {
    await turn(false)
    await expectRejected({}, 409, { code: 'ai_off' })
    const member_id = await memberWith(scene, memberPhone)
    expect((await scene.agent.post('/calls', { to: person, member_id })).status).toBe(201)
  })

  test('fails a waiting AI call', async () => {
    const id = idOf(await scene.agent.post('/calls', { to: person }))
    await turn(false)
    await scene.advance(id)
    expect(placed()).toEqual([])
    expect(await scene.read(id)).toMatchObject({
      status: 'failed',
      disposition: null,
      error: { code: 'ai_off', message: 'The AI of the workspace is off.' },
    })
    expect(await scene.events(id)).toEqual(['call.created', 'call.completed'])
  })
})

describe('a persona', () => {
  test('opens the call with its name and disclosure', async () => {
    const { id: persona_id } = await alder('approve', 'I am an AI assistant.')
    await scene.agent.patch(`/personas/${persona_id}`, { goal: 'Find out what they look for.' })
    const { body } = await scene.agent.post('/calls', { to: person, persona_id })
    expect(body).toMatchObject({ persona_id, persona_version: null })
    scenes.providers.script.respond = () => [201, { call_id: 'call_1', call_status: 'registered' }]
    await scene.advance(body.id)
    const [{ body: asked }] = placed() as unknown as [{ body: CallCreatePhoneCallParams }]
    expect(asked.agent_override?.retell_llm?.begin_message).toMatch(
      /^This is Alder\. I am an AI assistant\. This call is recorded\./,
    )
    expect(await scene.read(body.id)).toMatchObject({ persona_id, persona_version: 2 })
  })

  test('that is off returns 409, an unknown one 404, and one combined with a member 400', async () => {
    await expectRejected({ persona_id: (await alder('off')).id }, 409, {
      code: 'persona_off',
      details: [{ path: 'persona_id', message: 'is off' }],
    })
    await expectRejected({ persona_id: 'no-one' }, 404, { details: [{ path: 'persona_id' }] })
    const member_id = await memberWith(scene, memberPhone)
    await expectRejected({ persona_id: (await alder('approve')).id, member_id }, 400, {
      details: [{ path: 'persona_id', message: 'cannot be combined with member_id' }],
    })
  })

  test('that is turned off fails its waiting calls', async () => {
    const { id: persona_id } = await alder('approve')
    const id = idOf(await scene.agent.post('/calls', { to: person, persona_id }))
    await scene.agent.patch(`/personas/${persona_id}`, { enabled: false })
    await scene.advance(id)
    expect(placed()).toEqual([])
    expect(await scene.read(id)).toMatchObject({ status: 'failed', error: { code: 'persona_off' } })
  })
})

describe('a call without a voice connection returns 409', () => {
  const notConnected = { code: 'voice_not_connected' }

  /** A number on a real Twilio connection. */
  async function realNumber(): Promise<string> {
    const { ctx } = scene.workspace
    const { id } = await createConnection(ctx, { provider: 'twilio', name: 'T', account: 'AC1', secret: 's' })
    const from = '+13125550190'
    await createSender(ctx, { kind: '10dlc', address: from, connection_id: id })
    return from
  }

  test('if the AI calls from a real number and no real connection has an agent', async () => {
    const from = await realNumber()
    await expectRejected({ from }, 409, notConnected)
    const draft = { provider: 'retell', name: 'R', account: 'agent_1', secret: 'key_1' } as const
    const simulated = await createConnection(scene.workspace.ctx, { ...draft, simulated: true })
    await expectRejected({ from, connection_id: simulated.id }, 409, notConnected)
    await createConnection(scene.workspace.ctx, draft)
    expect((await scene.agent.post('/calls', { to: person, from })).status).toBe(201)
    const member_id = await memberWith(scene, memberPhone)
    expect((await scene.agent.post('/calls', { to: person, from, member_id })).status).toBe(201)
  })

  test('if the number is simulated and there is no simulated carrier', async () => {
    const ctx = { ...scene.workspace.ctx, simulatesProviders: false }
    const member_id = await memberWith(scene, memberPhone)
    for (const draft of [{ to: person }, { to: person, member_id }])
      await expect(planCall(ctx, draft)).rejects.toMatchObject(notConnected)
  })
})
