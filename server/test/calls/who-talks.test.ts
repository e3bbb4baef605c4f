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

describe('the switch of the AI', () => {
  const turn = (enabled: boolean) => scene.agent.patch('/ai-settings', { enabled })

  test('keeps calls of the AI from being accepted, and no other', async () => {
    await turn(false)
    await expectRejected({}, 409, { code: 'ai_off' })
    const member_id = await memberWith(scene, memberPhone)
    expect((await scene.agent.post('/calls', { to: person, member_id })).status).toBe(201)
  })

  test('stops a call that waits', async () => {
    const id = idOf(await scene.agent.post('/calls', { to: person }))
    await turn(false)
    await scene.tend(id)
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
  test('talks, and the call begins with its disclosure and name', async () => {
    const { id: persona_id } = await alder('approve', 'I am an AI assistant.')
    await scene.agent.patch(`/personas/${persona_id}`, { goal: 'Find out what they look for.' })
    const { body } = await scene.agent.post('/calls', { to: person, persona_id })
    expect(body).toMatchObject({ persona_id, persona_version: null })
    scenes.providers.script.respond = () => [201, { call_id: 'call_1', call_status: 'registered' }]
    await scene.tend(body.id)
    const [{ body: asked }] = placed() as unknown as [{ body: CallCreatePhoneCallParams }]
    expect(asked.agent_override?.retell_llm?.begin_message).toMatch(
      /^This is Alder\. I am an AI assistant\. This call is recorded\./,
    )
    expect(await scene.read(body.id)).toMatchObject({ persona_id, persona_version: 2 })
  })

  test('that is off places no call, and is a 409; one that does not exist is a 404', async () => {
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

  test('that is turned off stops the calls of it that wait', async () => {
    const { id: persona_id } = await alder('approve')
    const id = idOf(await scene.agent.post('/calls', { to: person, persona_id }))
    await scene.agent.patch(`/personas/${persona_id}`, { enabled: false })
    await scene.tend(id)
    expect(placed()).toEqual([])
    expect(await scene.read(id)).toMatchObject({ status: 'failed', error: { code: 'persona_off' } })
  })
})

describe('a call that nothing carries is a 409', () => {
  const notConnected = { code: 'voice_not_connected' }

  /** A number on a real Twilio connection. */
  async function realNumber(): Promise<string> {
    const { ctx } = scene.workspace
    const { id } = await createConnection(ctx, { provider: 'twilio', name: 'T', account: 'AC1', secret: 's' })
    const from = '+13125550190'
    await createSender(ctx, { kind: '10dlc', address: from, connection_id: id })
    return from
  }

  test('where the AI is to call from a real number, and no real connection has an agent', async () => {
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

  test('where the number is simulated, and there is no simulated carrier', async () => {
    const ctx = { ...scene.workspace.ctx, simulatesProviders: false }
    const member_id = await memberWith(scene, memberPhone)
    for (const draft of [{ to: person }, { to: person, member_id }])
      await expect(planCall(ctx, draft)).rejects.toMatchObject(notConnected)
  })
})
