import { expect, test } from 'vitest'
import {
  agreed,
  aiMessage,
  asked,
  disclosure,
  generationsOf,
  openAiMessages,
  persona,
  propose,
  text,
  write,
} from '#test/scenes/ai-messages.ts'
import {
  app,
  emailing,
  enabled,
  get,
  historyOf,
  leave,
  messagesTo,
  post,
  tag,
  tick,
} from '#test/scenes/automations.ts'

await openAiMessages()

test('a message of a persona starts with its AI disclosure and is recorded as AI-generated', async () => {
  const { contact, email, enrollment } = await asked()
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ waiting_for: { kind: 'response' } })
  await write(enrollment)
  expect(await messagesTo(email)).toEqual([
    { status: 'queued', subject: 'Your search, Ada', body: `${disclosure} ${text}`, source: 'ai' },
  ])
  expect(await historyOf(enrollment)).toEqual(['ask done'])
  await leave()
  await tick()
  expect(await historyOf(enrollment)).toEqual(['ask done', 'on done'])
  const [generation] = await generationsOf(contact)
  expect(generation).toMatchObject({
    persona_id: persona,
    conversation_id: null,
    last_message_id: null,
    decision: 'queued',
    message_id: expect.any(String),
  })
  expect(await get(`/messages/${generation.message_id}`)).toMatchObject({
    ai_generated: true,
    persona_id: persona,
  })
})

test('a duplicate or late response sends nothing more', async () => {
  const { email, enrollment } = await asked()
  await write(enrollment)
  await write(enrollment)
  await leave()
  await tick()
  await write(enrollment)
  expect(await messagesTo(email)).toHaveLength(1)
})

test('in approve mode, the next step waits until a person approves the message', async () => {
  await emailing.agent.patch(`/personas/${persona}`, { mode: 'approve' })
  const { contact, email, enrollment } = await asked()
  await write(enrollment)
  expect(await messagesTo(email)).toMatchObject([{ status: 'pending_approval' }])
  app.clock.advance(3 * 3_600_000)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['ask done'])
  const [{ message_id }] = await generationsOf(contact)
  expect((await post(`/messages/${message_id}/approve`, { body: 'Do you still look?' })).status).toBe(200)
  await leave()
  await tick()
  expect(await historyOf(enrollment)).toEqual(['ask done', 'on done'])
  expect(await generationsOf(contact)).toMatchObject([{ decision: 'edited' }])
})

test('an exit cancels a message that waits for approval', async () => {
  await emailing.agent.patch(`/personas/${persona}`, { mode: 'approve' })
  const { contact, email, enrollment } = await asked({}, { exits: [{ when: 'tag', tag: 'sold' }] })
  await write(enrollment)
  await emailing.agent.patch(`/contacts/${contact}`, { tags: ['sold'] })
  await tick()
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status: 'exited', reason: 'tag' })
  expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }])
  expect(await generationsOf(contact)).toMatchObject([{ decision: 'withdrawn' }])
})

test('in suggest mode, the text is saved as a suggestion if there is a conversation', async () => {
  await emailing.agent.patch(`/personas/${persona}`, { mode: 'suggest' })
  const unknown = await asked()
  await write(unknown.enrollment)
  expect(await historyOf(unknown.enrollment)).toEqual(['ask skipped no_conversation', 'on done'])
  expect(await generationsOf(unknown.contact)).toMatchObject([
    { decision: 'nothing', reason: 'no_conversation', proposal: { text } },
  ])

  const automation = await enabled({ steps: [aiMessage(), tag] })
  const known = await agreed(automation)
  await emailing.receive({ From: known.email, Subject: 'Hello' }, 'I saw your listing.')
  await tick()
  await write(known.enrollment)
  expect(await historyOf(known.enrollment)).toEqual(['ask done suggested', 'on done'])
  expect((await get(`/conversations?contact_id=${known.contact}`)).data).toMatchObject([
    { suggestion: { persona_id: persona, text: `${disclosure} ${text}` } },
  ])
  expect(await messagesTo(known.email)).toEqual([])
})

test('an exit during the model request wins over the message', async () => {
  const { email, enrollment } = await asked({}, { exits: [{ when: 'replied' }] })
  await emailing.receive({ From: email, Subject: 'Hello' }, 'I have bought a home.')
  await write(enrollment)
  expect(await messagesTo(email)).toEqual([])
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status: 'exited', reason: 'replied' })
})

test('a proposal is outdated after a new message or five minutes, and the persona writes again', async () => {
  const { contact, email, enrollment } = await asked()
  await propose(enrollment)
  await emailing.receive({ From: email, Subject: 'Hello' }, 'Is the garden large?')
  await tick()
  expect(await messagesTo(email)).toEqual([])
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ waiting_for: { kind: 'response' } })
  await propose(enrollment)
  app.clock.advance(5 * 60_000 + 1)
  await tick()
  expect(await messagesTo(email)).toEqual([])
  await write(enrollment)
  expect(await messagesTo(email)).toHaveLength(1)
  const decisions = (await generationsOf(contact)).map(({ decision }: { decision: string }) => decision)
  expect(decisions).toEqual(['queued', 'outdated', 'outdated'])
})

test('by default, a persona stops after two messages without a reply until the contact writes', async () => {
  const steps = ['one', 'two', 'three'].map((key) => aiMessage({ key }))
  const first = await agreed(await enabled({ steps }))
  const writeAll = async (enrollment: string) => {
    for (let seq = 0; seq < steps.length; seq++) {
      await tick()
      await propose(enrollment, { seq })
      await tick()
      await leave()
    }
  }
  await writeAll(first.enrollment)
  expect(await historyOf(first.enrollment)).toEqual(['one done', 'two done', 'three skipped cap'])
  await emailing.receive({ From: first.email, Subject: 'Hello' }, 'Yes, I do.')
  const more = await enabled({ steps })
  const { body } = await post(`/automations/${more}/enroll`, { contact_id: first.contact })
  await writeAll(body.id)
  expect(await historyOf(body.id)).toEqual(['one done', 'two done', 'three skipped cap'])
})
