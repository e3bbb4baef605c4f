import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { eventsNamed } from '#test/support/journal.ts'

let scene: AiScene

const disclosure = 'This is Alder, the AI assistant of Lantern & Oak.'

beforeAll(async () => {
  scene = await openAiScene([
    { match: 'real person', say: { action: 'handoff', handoff_reason: 'asked' } },
    { match: '', say: { action: 'reply', text: 'Which day suits you?' } },
  ])
  await scene.persona({ handoff: { message: 'Your agent will get back to you.' } })
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(async () => {
  scene.app.clock.set('2026-03-02T18:00:00.000Z')
  await scene.texting.agent.patch('/ai-settings', { enabled: true })
})

const ofUs = async (contactId: string) =>
  (await scene.messagesOf(contactId)).filter(({ direction }) => direction === 'OUTBOUND')

/** A contact to whom the AI has responded. */
async function responded() {
  const one = await scene.person()
  await scene.texting.text(one.phone, 'Is it still for sale?')
  await scene.respond()
  const message = orNotFound((await ofUs(one.id))[0])
  expect(message).toMatchObject({ status: 'queued', body: `${disclosure} Which day suits you?` })
  return { ...one, messageId: String(message['id']) }
}

async function fail() {
  for (const { attemptId } of await scene.texting.begin())
    await scene.texting.status(attemptId, 'failed', { ErrorCode: '30003' })
}

const register = (campaign: string) =>
  scene.texting.agent.patch(`/senders/${scene.texting.senderId}`, { registration: { campaign } })

async function block() {
  expect((await register('IN_PROGRESS')).status).toBe(200)
  await scene.texting.begin()
  await register('VERIFIED')
}

const handoffsOf = async (contactId: string) =>
  (await eventsNamed(scene.app.databaseUrl, scene.texting.workspace.id, 'ai.handed_off')).filter(
    (one) => one['contact_id'] === contactId,
  )

describe('an AI response that does not arrive', () => {
  test.each([
    ['fails', fail, { decision: 'failed', reason: 'recipient_unreachable' }, 'failed'],
    [
      'is blocked when it leaves',
      block,
      { decision: 'blocked', reason: 'a2p_campaign_not_approved' },
      'blocked',
    ],
  ] as const)('because it %s is recorded and handed off', async (_, act, generation, reason) => {
    const { id } = await responded()
    await act()
    await scene.leaveUnsent()
    expect(await scene.generations(id)).toMatchObject([generation])
    expect(await handoffsOf(id)).toMatchObject([{ reason }])
    expect(await scene.contact(id)).toMatchObject({ ai_paused_reason: 'handoff' })
  })

  test('because the AI was turned off is recorded but not handed off', async () => {
    const { id } = await responded()
    await scene.texting.agent.patch('/ai-settings', { enabled: false })
    await scene.texting.begin()
    await scene.leaveUnsent()
    expect(await scene.generations(id)).toMatchObject([{ decision: 'blocked', reason: 'ai_paused' }])
    expect(await handoffsOf(id)).toEqual([])
    expect(await scene.contact(id)).toMatchObject({ ai_paused_reason: null })
  })

  test('because the contact opted out is not handed off', async () => {
    const { id, phone } = await responded()
    await scene.texting.text(phone, 'STOP')
    await scene.texting.begin()
    await scene.leaveUnsent()
    expect(await handoffsOf(id)).toEqual([])
  })

  test('is not handed off once a person has written', async () => {
    const { id, phone } = await responded()
    await fail()
    await scene.texting.send(phone)
    await scene.leaveUnsent()
    expect(await handoffsOf(id)).toEqual([])
  })
})

describe('the disclosure', () => {
  test('is included until a message with it has left', async () => {
    const { id, phone } = await responded()
    await scene.texting.text(phone, 'Hello?')
    await scene.respond()
    await scene.leave()
    await scene.leave()
    await scene.texting.text(phone, 'Tuesday')
    await scene.respond()
    const bodies = (await ofUs(id)).map(({ body }) => body)
    expect(bodies.slice(1)).toEqual([`${disclosure} Which day suits you?`, 'Which day suits you?'])
  })

  test('is not skipped after a message that an integration marks as AI-generated', async () => {
    const { id, phone } = await scene.person()
    const draft = { channel: 'sms', to: phone, body: 'Hi.', ai_generated: true }
    expect((await scene.texting.agent.post('/messages', draft)).status).toBe(201)
    await scene.leave()
    await scene.texting.text(phone, 'Is it still for sale?')
    await scene.respond()
    expect((await ofUs(id)).at(-1)).toMatchObject({ body: `${disclosure} Which day suits you?` })
  })

  test('is part of a handoff message if that comes first', async () => {
    const { id, phone } = await scene.person()
    await scene.texting.text(phone, 'A real person, please.')
    await scene.respond()
    expect(await ofUs(id)).toMatchObject([{ body: `${disclosure} Your agent will get back to you.` }])
    await scene.leave()
    await scene.texting.agent.post(`/contacts/${id}/ai`, { status: 'active' })
    await scene.texting.text(phone, 'Is it still for sale?')
    await scene.respond()
    expect((await ofUs(id)).at(-1)).toMatchObject({ body: 'Which day suits you?' })
  })

  test('is added if the message with it fails during the model request', async () => {
    const { id, phone, messageId } = await responded()
    const begun = (await scene.texting.begin()).find((one) => one.messageId === messageId)
    await scene.texting.taken(orNotFound(begun).attemptId)
    await scene.texting.text(phone, 'Hello?')
    const { model } = scene.responder
    let asked = 0
    scene.responder.model = scene.modelDuring(async () => {
      if (asked++ === 0)
        await scene.texting.status(orNotFound(begun).attemptId, 'undelivered', { ErrorCode: '30003' })
    })
    await scene.respond()
    expect(await ofUs(id)).toHaveLength(1)
    await scene.respond()
    scene.responder.model = model
    expect((await ofUs(id)).at(-1)).toMatchObject({ body: `${disclosure} Which day suits you?` })
  })
})
