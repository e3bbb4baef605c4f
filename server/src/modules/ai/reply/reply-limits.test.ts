import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { asOwner } from '#test/support/database.ts'
import { readMails } from '../../mail/public.ts'
import { createSender } from '../../senders/public.ts'
import { createBreaker } from '../model/breaker.ts'
import type { LanguageModel } from '../ports.ts'
import { replyTo } from './reply-to.ts'

let scene: AiScene

beforeAll(async () => {
  scene = await openAiScene([
    { match: 'real person', say: { action: 'handoff', handoff_reason: 'asked' } },
    { match: 'model down', behavior: 'down' },
    { match: '', say: { action: 'reply', text: 'Happy to help. Which day suits you?' } },
  ])
  await scene.persona()
})
afterAll(() => scene[Symbol.asyncDispose]())

const ofAi = async (contactId: string) =>
  (await scene.messagesOf(contactId)).filter(({ ai_generated }) => ai_generated)

/** The scene's model, with a count of its requests. The first request advances the clock by `ms`. */
function modelThatTakes(ms: number) {
  const { propose } = orNotFound(scene.responder.model)
  const counted = { asked: 0 }
  const model: LanguageModel = {
    ...orNotFound(scene.responder.model),
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
] as const)('a proposal that arrives after %s is sent only if in time', async ([, ms, messages, paused]) => {
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Is it still for sale?')
  const { model } = modelThatTakes(ms)
  await replyTo(scene.texting.workspace.ctx, await conversationOf(id), { ...scene.responder, model })
  expect(await ofAi(id)).toHaveLength(messages)
  expect(await scene.contact(id)).toMatchObject({ ai_paused_reason: paused })
})

test('no proposal is kept for a contact erased during the model request', async () => {
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Is it still for sale?')
  const model = scene.modelDuring(() => scene.texting.agent.delete(`/contacts/${id}`))
  await replyTo(scene.texting.workspace.ctx, await conversationOf(id), { ...scene.responder, model })
  expect(await scene.generations(id)).toMatchObject([
    { decision: 'outdated', material: null, proposal: null, reviewed: null },
  ])
})

describe('a handoff', () => {
  const handoff = { message: 'I have asked your agent to get back to you.' }
  const handedOff = async (during: (phone: string) => Promise<unknown>) => {
    const { id, phone } = await scene.person()
    await scene.texting.text(phone, 'a real person')
    const model = scene.modelDuring(() => during(phone))
    await replyTo(scene.texting.workspace.ctx, await conversationOf(id), { ...scene.responder, model })
    const sent = (await scene.messagesOf(id)).filter(({ source }) => source === 'system')
    return { sent: sent.length, reason: (await scene.contact(id))['ai_paused_reason'] }
  }

  test.for([
    ['nothing has happened', async () => undefined, 1, 'handoff'],
    ['its persona is off', (persona: string) => turn(`/personas/${persona}`), 0, null],
    ['the AI of the workspace is off', () => turn('/ai-settings'), 0, null],
    [
      'a person has written',
      (_: string, phone: string) => scene.texting.send(phone, 'This is Dana, I am calling you now.'),
      0,
      null,
    ],
  ] as const)(
    'takes effect only if nothing has changed in the meantime: %s',
    async ([, act, sent, reason]) => {
      const { id } = await scene.onlyPersona({ handoff, stop_on_human_message: false })
      expect(await handedOff((phone) => act(String(id), phone))).toEqual({ sent, reason })
      await scene.texting.agent.patch('/ai-settings', { enabled: true })
    },
  )

  const turn = (path: string) => scene.texting.agent.patch(path, { enabled: false })

  test('of a contact without an owner is emailed to the first owner of the workspace', async () => {
    await scene.onlyPersona()
    const owner = await scene.texting.workspace.member()
    await asOwner(scene.app.databaseUrl, "update members set role = 'owner' where id = $1", [owner.id])
    await handedOff(async () => undefined)
    const mails = await readMails(scene.app.runtime)
    expect(mails.map(({ mail }) => mail?.to)).toContain(owner.email)
  })
})

test('START gets no response from the AI', async () => {
  await scene.onlyPersona()
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Is it still for sale?')
  await scene.texting.text(phone, 'START')
  await scene.respond()
  expect([await ofAi(id), await scene.generations(id)]).toEqual([[], []])
})

test('a model request that times out costs its full reservation', async () => {
  await scene.onlyPersona()
  const { phone, id } = await scene.person()
  await scene.texting.text(phone, 'Is it still for sale?')
  const model: LanguageModel = {
    ...orNotFound(scene.responder.model),
    price: { input: 1_000_000, output: 1_000_000 },
    propose: async () => ({ kind: 'fault', fault: 'timeout', message: 'no response within 20 s' }),
  }
  const responder = { breaker: createBreaker(scene.app.clock), model }
  await replyTo(scene.texting.workspace.ctx, await conversationOf(id), responder)
  const [generation] = await scene.generations(id)
  expect(Number(generation?.['price'])).toBeGreaterThan(0)
  expect(generation?.['price']).toBe(generation?.['reserved'])
})

test('after five model failures in a minute, conversations are handed off without a model request', async () => {
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

test('the AI does not respond to a number of its own workspace', async () => {
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
