import { afterAll, beforeAll } from 'vitest'
import { beginSends } from '../../src/modules/messages/outbox/begin-sends.ts'
import { settleSends } from '../../src/modules/messages/outbox/settle-sends.ts'
import type { SendOutcome } from '../../src/modules/messages/ports.ts'
import { type TestApp, type TestAppOptions, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { type Emailing, startEmailing } from '../support/emailing.ts'
import { idOf } from '../support/fixtures.ts'
import { forgetDue, runDue } from './engine.ts'

export let app: TestApp
export let emailing: Emailing

type Json = Record<string, unknown>

/** A workspace that sends emails, with an engine that moves when a test says so. It begins on a Monday, 10 am in Chicago. */
export function openAutomations(options?: TestAppOptions): void {
  beforeAll(async () => {
    app = await testApp({ role: 'api', now: '2026-03-02T16:00:00.000Z', ...options })
    await forgetDue(app)
    emailing = await startEmailing(app)
  })
  afterAll(() => app[Symbol.asyncDispose]())
}

export const post = (path: string, body: object = {}) => emailing.agent.post(path, body)
export const get = async (path: string) => (await emailing.agent.get(path)).body

/** As an engine does, until it finds nothing to do, or so often. */
export const tick = (times?: number) => runDue(app, times)

/** A step that sends an email. */
export const send = (key: string, more: object = {}) => ({
  key,
  type: 'send',
  channel: 'email',
  subject: 'Still looking, {{contact.first_name|friend}}?',
  body: 'Hi {{contact.first_name|there}}, this is {{workspace.name}}.',
  ...more,
})
export const tag = { key: 'on', type: 'tag', tag: 'on' }
export const tagStep = (key: string) => ({ key, type: 'tag', tag: key })
export const waitStep = (key: string, minutes: number) => ({ key, type: 'wait', for: { minutes } })

/** An automation that is published and enabled. */
export async function enabled(definition: object): Promise<string> {
  const id = idOf(await post('/automations', { name: 'No reply', definition }))
  await post(`/automations/${id}/publish`)
  await post(`/automations/${id}/enable`)
  return id
}

let people = 0

/** A new contact in an automation. */
export async function enrolled(
  automation: string,
): Promise<{ contact: string; email: string; enrollment: string }> {
  const email = `ada${++people}@reyes.example`
  const contact = idOf(await post('/contacts', { first_name: 'Ada', email }))
  const enrollment = idOf(await post(`/automations/${automation}/enroll`, { contact_id: contact }))
  return { contact, email, enrollment }
}

/** What has been done: `hello blocked suppressed_manual`. */
export const historyOf = async (enrollment: string): Promise<string[]> =>
  (await get(`/enrollments/${enrollment}`)).steps.map(({ step_key, outcome, reason }: Json) =>
    [step_key, outcome, ...(reason === null ? [] : [reason])].join(' '),
  )

export const messagesTo = (email: string) =>
  asOwner<Json>(
    app.databaseUrl,
    'select status, subject, body, source from messages where "to" = $1 order by id',
    [email],
  )

/** Begins and settles what waits to be sent, as a worker does. */
export async function leave(outcome?: SendOutcome): Promise<void> {
  const { workspace, senderId } = emailing
  const begun = await beginSends(app.runtime, { workspaceId: workspace.id, senderId }, 100)
  const settled = begun.map(({ message, attemptId }) => ({
    messageId: message.id,
    attemptId,
    outcome: outcome ?? { kind: 'taken' as const, providerMessageId: attemptId },
  }))
  await settleSends(app.runtime, workspace.id, settled)
}
