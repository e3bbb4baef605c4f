import { expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import {
  addPersona,
  agreed,
  aiMessage,
  asked,
  asking,
  generationsOf,
  openAiMessages,
  persona,
  propose,
  write,
} from '#test/scenes/ai-messages.ts'
import {
  app,
  emailing,
  enabled,
  get,
  historyOf,
  messagesTo,
  post,
  tag,
  tick,
} from '#test/scenes/automations.ts'
import { asOwner } from '#test/support/database.ts'
import type { LanguageModel } from '../../../ai/ports.ts'
import { readMails } from '../../../mail/public.ts'

await openAiMessages()

test.each([
  [
    'of a paused contact',
    'ai_paused',
    (contact: string) => post(`/contacts/${contact}/notes`, { body: 'I call.' }),
  ],
  [
    'of a persona that is off',
    'persona_off',
    () => emailing.agent.patch(`/personas/${persona}`, { mode: 'off' }),
  ],
  [
    'of a persona that does not write emails',
    'persona_off',
    () => emailing.agent.patch(`/personas/${persona}`, { channels: ['SMS'] }),
  ],
])('the step %s is skipped, both before and after the model is asked', async (_, reason, stop) => {
  const automation = await enabled({ steps: [aiMessage(), tag] })
  const before = await agreed(automation)
  await stop(before.contact)
  await tick()
  expect(await historyOf(before.enrollment)).toEqual([`ask skipped ${reason}`, 'on done'])
  await addPersona()
  const after = await asked()
  await propose(after.enrollment)
  await stop(after.contact)
  await tick()
  expect(await historyOf(after.enrollment)).toEqual([`ask skipped ${reason}`, 'on done'])
  expect(await messagesTo(after.email)).toEqual([])
})

test('the model is asked only after the send window opens', async () => {
  const window = { from: '18:00', to: '19:00', zone: 'workspace' }
  const { contact, email, enrollment } = await asked({}, { send_window: window })
  await write(enrollment)
  expect(await generationsOf(contact)).toEqual([])
  expect(await historyOf(enrollment)).toEqual(['ask deferred send_window'])
  const { waiting_for } = await get(`/enrollments/${enrollment}`)
  expect(waiting_for).toMatchObject({ kind: 'hours' })
  app.clock.set(new Date(waiting_for.until))
  await tick()
  await write(enrollment, { seq: 1 })
  expect(await messagesTo(email)).toHaveLength(1)
})

test('no model is asked for a message that would be blocked', async () => {
  const { email, contact, enrollment } = await agreed(
    await enabled({ steps: [aiMessage({ on_blocked: 'exit' })] }),
  )
  await post('/suppressions', { kind: 'manual', email })
  await tick()
  expect(await historyOf(enrollment)).toEqual(['ask blocked suppressed_manual'])
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status: 'exited', reason: 'blocked' })
  expect(await generationsOf(contact)).toEqual([])
})

test.each([
  ['What do families say of it?', 'ask blocked content_fair_housing', 'blocked', 'active'],
  ['Never mind.', 'ask skipped nothing_to_say', 'nothing', 'active'],
  ['My lawyer has a question.', 'ask skipped handed_off', 'handed_off', 'paused'],
])('after the message "%s", the history has "%s"', async (said, history, decision, ai) => {
  const { contact, email, enrollment } = await agreed(await enabled({ steps: [aiMessage(), tag] }))
  await emailing.receive({ From: email, Subject: 'Hello' }, said)
  await tick()
  await write(enrollment)
  expect(await historyOf(enrollment)).toEqual([history, 'on done'])
  expect(await generationsOf(contact)).toMatchObject([{ decision }])
  expect(await get(`/contacts/${contact}`)).toMatchObject({ ai_auto_response: ai })
  expect(await messagesTo(email)).toEqual([])
})

test('a handoff without a conversation sends the owner of the contact an email', async () => {
  const member = await emailing.workspace.member()
  const extracted = { timeframe: null, area: null, budget: null }
  const proposal = { action: 'handoff', text: '', handoff_reason: 'legal', disposition: null, extracted }
  const usage = { promptTokens: 1, completionTokens: 1 }
  const model: LanguageModel = {
    ...orNotFound(app.model),
    propose: async () => ({ kind: 'said', text: JSON.stringify(proposal), usage }),
  }
  asking.responder = { ...asking.responder, model }
  const { contact, email, enrollment } = await asked()
  await emailing.agent.patch(`/contacts/${contact}`, { owner_id: member.id })
  await write(enrollment)
  expect(await historyOf(enrollment)).toEqual(['ask skipped handed_off', 'on done'])
  expect(await generationsOf(contact)).toMatchObject([{ decision: 'handed_off', reason: 'legal' }])
  expect(await get(`/contacts/${contact}`)).toMatchObject({ ai_paused_reason: 'handoff' })
  const mails = await readMails(app.runtime)
  expect(mails.map(({ mail }) => mail?.to)).toContain(member.email)
  expect(await messagesTo(email)).toEqual([])
})

test('a model that is down is asked four times, then the step fails', async () => {
  asking.responder = { ...asking.responder, model: undefined }
  const { enrollment } = await asked()
  for (const attempts of [1, 2, 3]) {
    await write(enrollment)
    expect(await get(`/enrollments/${enrollment}`)).toMatchObject({
      waiting_for: { attempts, failure: 'the language model is unavailable', retry_at: expect.any(String) },
      steps: [],
    })
  }
  await write(enrollment)
  expect(await historyOf(enrollment)).toEqual(['ask failed model_down', 'on done'])
})

test('a step that would exceed the daily AI budget fails', async () => {
  await emailing.agent.patch('/ai-settings', { daily_budget: 0.01 })
  const model = { ...orNotFound(app.model), price: { input: 0, output: 1_000_000_000 } }
  asking.responder = { ...asking.responder, model }
  const { enrollment } = await asked()
  await write(enrollment)
  await emailing.agent.patch('/ai-settings', { daily_budget: 5 })
  expect(await historyOf(enrollment)).toEqual(['ask failed budget', 'on done'])
})

test('erasing a contact clears the proposed text and sends no message', async () => {
  const { contact, email, enrollment } = await asked()
  await propose(enrollment)
  await emailing.agent.delete(`/contacts/${contact}`)
  await tick()
  expect(await messagesTo(email)).toEqual([])
  const rows = await asOwner(app.databaseUrl, 'select proposal from generations where contact_id = $1', [
    contact,
  ])
  expect(rows).toEqual([{ proposal: null }])
})

test.each([
  ['a persona that does not exist', { persona_id: 'cmi8h2k5p0001zq8r4t6w9x3y' }, 404],
  ['an email without a subject', { subject: undefined }, 400],
  ['a text with a subject', { channel: 'sms' }, 400],
  ['placeholders in its purpose', { purpose: 'Ask {{contact.first_name}}.' }, 400],
])('a step with %s is rejected', async (_, more, status) => {
  const response = await post('/automations/validate', { definition: { steps: [aiMessage(more)] } })
  expect(response.status).toBe(status)
  expect(JSON.stringify(response.body)).toContain('definition.steps')
})

test('a dry run asks no model', async () => {
  const automation = await enabled({ steps: [aiMessage(), tag] })
  const { contact } = await agreed(await enabled({ steps: [tag] }))
  const run = await post(`/automations/${automation}/dry-run`, { contact_id: contact })
  expect(run.body).toMatchObject({
    status: 'completed',
    steps: [
      { step_key: 'ask', outcome: 'done', reason: 'assumed', verdict: { allowed: true }, message: null },
      {},
    ],
  })
  expect(await generationsOf(contact)).toEqual([])
})
