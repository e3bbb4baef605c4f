import { afterAll, beforeAll, expect, test } from 'vitest'
import { found } from '#kernel/errors.ts'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { createSender } from '../../senders/public.ts'
import type { LanguageModel } from '../ports.ts'
import { replyTo } from './reply-to.ts'

let scene: AiScene

beforeAll(async () => {
  scene = await openAiScene([
    { match: 'model down', behavior: 'down' },
    { match: '', say: { action: 'reply', text: 'Happy to help. Which day suits you?' } },
  ])
  await scene.persona()
})
afterAll(() => scene[Symbol.asyncDispose]())

const ofAi = async (contactId: string) =>
  (await scene.messagesOf(contactId)).filter(({ ai_generated }) => ai_generated)

/** The model of the scene; `asked` counts the requests, the first of which takes so long by the clock. */
function modelThatTakes(ms: number) {
  const { propose } = found(scene.responder.model)
  const counted = { asked: 0 }
  const model: LanguageModel = {
    ...found(scene.responder.model),
    async propose(prompt) {
      if (counted.asked++ === 0) scene.app.clock.advance(ms)
      return propose(prompt)
    },
  }
  return { counted, model }
}

async function conversationOf(contactId: string): Promise<string> {
  const [message] = await scene.messagesOf(contactId)
  return String(message?.['conversation_id'])
}

test.for([
  ['4 minutes', 240_000, 1, null],
  ['6 minutes', 360_000, 0, 'handoff'],
] as const)('a proposal that comes after %s', async ([, ms, messages, paused]) => {
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Is it still for sale?')
  const { model } = modelThatTakes(ms)
  await replyTo(scene.texting.workspace.ctx, await conversationOf(id), { ...scene.responder, model })
  expect(await ofAi(id)).toHaveLength(messages)
  expect(await scene.contact(id)).toMatchObject({ ai_paused_reason: paused })
})

test('a model that failed five times within a minute is not asked about the next conversations: they are handed off', async () => {
  const { counted, model } = modelThatTakes(0)
  const responder = { ...scene.responder, model }
  const write = async (text: string) => {
    const { id, phone } = await scene.person()
    await scene.texting.text(phone, text)
    await replyTo(scene.texting.workspace.ctx, await conversationOf(id), responder)
    return id
  }
  const failed: string[] = []
  for (let n = 0; n < 5; n++) failed.push(await write('model down'))
  const before = counted.asked
  expect(before).toBe(5)
  failed.push(await write('Is it still for sale?'))
  expect(counted.asked).toBe(before)
  for (const id of failed) {
    expect(await ofAi(id)).toEqual([])
    expect(await scene.contact(id)).toMatchObject({ ai_paused_reason: 'handoff' })
  }
  scene.app.clock.advance(60_000)
  expect(await ofAi(await write('Is it still for sale?'))).toHaveLength(1)
})

test('the AI does not respond to a number of the workspace itself', async () => {
  const own = '+13125550177'
  await createSender(scene.texting.workspace.ctx, {
    kind: '10dlc',
    address: own,
    registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
  })
  const id = await scene.texting.lead(own)
  await scene.texting.text(own, 'Hello')
  expect(await scene.respond()).toBeGreaterThan(0)
  expect([await ofAi(id), await scene.generations(id)]).toEqual([[], []])
})
