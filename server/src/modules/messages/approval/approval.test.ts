import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { asOwner } from '#test/support/database.ts'
import { dropUnapproved } from '../drop-unapproved.ts'

let scene: AiScene
let persona: string
let tests = 0

beforeAll(async () => {
  scene = await openAiScene([{ match: '', say: { action: 'reply', text: 'Which day suits you?' } }])
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(async () => {
  scene.app.clock.set('2026-03-02T18:00:00.000Z')
  // Stays within the rate limit per minute.
  scene.app.clock.advance(tests++ * 61_000)
  await scene.texting.agent.patch('/ai-settings', { enabled: true })
  persona = String((await scene.onlyPersona({ mode: 'approve' }))['id'])
})

/** A contact, with a response that waits for approval. */
async function pending() {
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Is it still for sale?')
  await scene.respond()
  const message = orNotFound((await scene.messagesOf(id)).at(-1))
  expect(message).toMatchObject({ status: 'pending_approval' })
  return { id, phone, messageId: String(message['id']) }
}

const approve = (messageId: string, body: object = {}) =>
  scene.texting.agent.post(`/messages/${messageId}/approve`, body)

const messageOf = async (messageId: string) => (await scene.texting.agent.get(`/messages/${messageId}`)).body

/** 9:05 pm in Chicago, hours after the contact wrote. */
function turnNight(): void {
  scene.app.clock.set('2026-03-03T03:05:00.000Z')
}

test('a text approved at night is scheduled for the morning', async () => {
  const { id, messageId } = await pending()
  turnNight()
  expect(await approve(messageId)).toMatchObject({
    status: 200,
    body: { status: 'scheduled', scheduled_at: '2026-03-03T14:00:00.000Z', ai_generated: true },
  })
  expect(await scene.generations(id)).toMatchObject([{ decision: 'sent_by_person' }])
  expect((await approve(messageId)).status).toBe(409)
  await scene.texting.begin()
  expect(await messageOf(messageId)).toMatchObject({ status: 'scheduled' })
  scene.app.clock.set('2026-03-03T14:00:01.000Z')
  await scene.leave()
  expect(await messageOf(messageId)).toMatchObject({ status: 'sent' })
})

test.each([
  ['after a note', (id: string) => scene.texting.agent.post(`/contacts/${id}/notes`, { body: 'I call.' })],
  ['with the persona off', () => scene.texting.agent.patch(`/personas/${persona}`, { mode: 'off' })],
  ['with the AI off', () => scene.texting.agent.patch('/ai-settings', { enabled: false })],
])('a text approved %s stays pending, and a person may send it as their own', async (_, pause) => {
  const { id, messageId } = await pending()
  await pause(id)
  expect(await approve(messageId)).toMatchObject({
    status: 422,
    body: { error: { code: 'compliance_blocked', reason: 'ai_paused', message_id: messageId } },
  })
  expect(await messageOf(messageId)).toMatchObject({ status: 'pending_approval', approved_by: null })
  expect(await scene.generations(id)).toMatchObject([{ decision: 'pending' }])
  expect(await approve(messageId, { body: 'Tuesday at 2?' })).toMatchObject({
    status: 200,
    body: { status: 'queued', ai_generated: false },
  })
})

test('a text can be approved once the AI is resumed', async () => {
  const { id, messageId } = await pending()
  await scene.texting.agent.post(`/contacts/${id}/notes`, { body: 'I call.' })
  await scene.texting.agent.post(`/contacts/${id}/ai`, { status: 'active' })
  expect((await approve(messageId)).body).toMatchObject({ status: 'queued' })
})

test('approving a text to a person who has opted out blocks it', async () => {
  const { id, phone, messageId } = await pending()
  await scene.texting.text(phone, 'STOP')
  expect((await approve(messageId)).status).toBe(422)
  expect(await messageOf(messageId)).toMatchObject({ status: 'blocked' })
  expect(await scene.generations(id)).toMatchObject([{ decision: 'blocked', reason: 'opted_out' }])
})

test('approving an edited text pauses the AI; approving it unchanged does not', async () => {
  const [edited, same] = [await pending(), await pending()]
  await approve(edited.messageId, { body: 'Tuesday at 2?' })
  await approve(same.messageId, {})
  expect(await scene.contact(edited.id)).toMatchObject({ ai_paused_reason: 'message' })
  expect(await scene.contact(same.id)).toMatchObject({ ai_paused_reason: null })
})

test('a person’s message pauses the AI even if scheduled or on a channel without a persona', async () => {
  const { id, phone } = await pending()
  turnNight()
  const later = { channel: 'sms', to: phone, body: 'This is Dana.', when_blocked: 'schedule' }
  expect((await scene.texting.agent.post('/messages', later)).body).toMatchObject({ status: 'scheduled' })
  expect(await scene.contact(id)).toMatchObject({ ai_paused_reason: 'message' })

  await scene.onlyPersona({ channels: ['EMAIL'] })
  const other = await scene.person()
  scene.app.clock.set('2026-03-03T18:00:00.000Z')
  await scene.texting.send(other.phone)
  expect(await scene.contact(other.id)).toMatchObject({ ai_paused_reason: 'message' })
})

test('a message not approved within 24 hours is dropped; an approved one is not', async () => {
  const [open, sent] = [await pending(), await pending()]
  const [job] = await asOwner<{ run_at: Date }>(
    scene.app.databaseUrl,
    `select run_at from graphile_worker._private_jobs where payload -> 'payload' ->> 'message_id' = $1`,
    [open.messageId],
  )
  await approve(sent.messageId)
  scene.app.clock.advance(24 * 3_600_000)
  expect(job?.run_at).toEqual(scene.app.clock.now())
  for (const { messageId } of [open, sent])
    await dropUnapproved.handle(scene.texting.workspace.ctx, { message_id: messageId })
  expect(await messageOf(open.messageId)).toMatchObject({ status: 'cancelled' })
  expect(await scene.generations(open.id)).toMatchObject([{ decision: 'withdrawn' }])
  expect(await messageOf(sent.messageId)).toMatchObject({ status: 'queued' })
})
