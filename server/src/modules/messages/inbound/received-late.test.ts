import { afterAll, beforeAll, expect, test } from 'vitest'
import { later } from '#kernel/clock.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { type Texting, startTexting } from '#test/support/texting.ts'
import { beginHold, requireSecret } from '../../installation/public.ts'
import { type ProviderAccount, openAccount } from '../../senders/public.ts'
import type { Carrier, InboundMessage } from '../ports.ts'
import { recordCallback } from './callback-routes.ts'
import { sweepConnection } from './sweep.ts'

const restoredAt = new Date('2026-03-02T18:00:00.000Z')

let app: TestApp
let texting: Texting
let follow: string

beforeAll(async () => {
  app = await testApp({ now: restoredAt, databaseUrl: await freshDatabase('received_late') })
  texting = await startTexting(app)
  const { agent } = texting
  await agent.post('/personas', {
    name: 'Alder',
    disclosure: 'This is Alder, the AI assistant of Lantern & Oak.',
    mode: 'auto',
  })
  await agent.patch('/ai-settings', { enabled: true })
  const enable = async (definition: object) => {
    const id = (await agent.post('/automations', { name: 'One', definition })).body['id']
    await agent.post(`/automations/${id}/publish`)
    await agent.post(`/automations/${id}/enable`)
    return id
  }
  const steps = [{ key: 'w', type: 'wait', for: { minutes: 600 } }]
  await enable({ triggers: [{ event: 'message.received' }], steps })
  follow = await enable({ steps })
  const { directory } = app.runtime.database
  await requireSecret(directory, app.runtime.keys)
  await beginHold(directory, { from: null, to: restoredAt.toISOString() })
})
afterAll(() => app[Symbol.asyncDispose]())

const count = async (statement: string, ...values: unknown[]) =>
  (await asOwner(app.databaseUrl, statement, values)).length

/** What a text leads to, beyond its record. */
async function effectsOf(phone: string, contact: string) {
  const enrollments = await asOwner<{ status: string; reason: string | null }>(
    app.databaseUrl,
    'select status, reason from enrollments where contact_id = $1 and automation_id = $2',
    [contact, follow],
  )
  return {
    texts: await count(`select from messages where direction = 'OUTBOUND' and "to" = $1`, phone),
    aiReplies: await count(
      'select from awaited_replies where conversation_id in (select id from conversations where address = $1)',
      phone,
    ),
    triggers: await count('select from automation_inbox where is_trigger and contact_id = $1', contact),
    enrollment: enrollments[0],
    isStopped:
      (await texting.agent.get(`/suppressions?phone=${encodeURIComponent(phone)}`)).body['data'].length > 0,
    isAiPaused: (await texting.agent.get(`/contacts/${contact}`)).body['ai_auto_response'] !== 'active',
  }
}

let texts = 0

type Receive = (received: InboundMessage, account: ProviderAccount) => Promise<unknown>

/** A contact in an automation who has written this at that time, null if the provider does not say when. */
async function received(body: string, receivedAt: Date | null, receive: Receive) {
  const phone = `+1312555${2000 + texts++}`
  const contact = await texting.lead(phone)
  await texting.agent.post(`/automations/${follow}/enroll`, { contact_id: contact })
  const message: InboundMessage = {
    providerMessageId: `SM-late-${texts}`,
    channel: 'sms',
    from: phone,
    to: texting.number,
    subject: null,
    body,
    bodyHtml: null,
    name: null,
    receivedAt,
    providerResponds: false,
  }
  const { database, keys, clock } = app.runtime
  const account = await openAccount({ directory: database.directory, keys, clock }, texting.connectionId)
  await receive(message, account ?? expect.unreachable())
  expect(await count(`select from messages where direction = 'INBOUND' and "from" = $1`, phone)).toBe(1)
  return effectsOf(phone, contact)
}

const bySweep: Receive = (message) => {
  const carrier: Carrier = {
    send: async () => ({ kind: 'unknown', message: 'Sends nothing.' }),
    find: async () => undefined,
    readCallback: () => undefined,
    listInbound: async () => [message],
  }
  return sweepConnection(app.runtime, { twilio: carrier }, texting.connectionId)
}

const byCallback: Receive = (message, account) =>
  recordCallback(app.runtime, account, { messages: [message], statuses: [], response: null })

const active = { status: 'queued', reason: null }
const paused = { status: 'paused', reason: 'received_before_restore' }
const nothing = { texts: 0, aiReplies: 0, triggers: 0, isStopped: false, isAiPaused: false }

test.each([
  ['HELP', { ...nothing, texts: 1, triggers: 1, enrollment: active }, { ...nothing, enrollment: paused }],
  [
    'STOP',
    { ...nothing, texts: 1, triggers: 1, isStopped: true, isAiPaused: true, enrollment: active },
    { ...nothing, isStopped: true, isAiPaused: true, enrollment: paused },
  ],
  [
    'Is it still for sale?',
    { ...nothing, aiReplies: 1, triggers: 1, enrollment: active },
    { ...nothing, enrollment: paused },
  ],
])(
  '%s takes its legal effect whenever it was received; before a restore, nothing responds to it or starts because of it',
  async (body, inTime, late) => {
    for (const receive of [bySweep, byCallback]) {
      expect(await received(body, later(restoredAt, 1), receive)).toEqual(inTime)
      expect(await received(body, later(restoredAt, -1), receive)).toEqual(late)
    }
    // Providers that list what they received say when. One that calls back without a time does so at once.
    expect(await received(body, null, bySweep)).toEqual(late)
    expect(await received(body, null, byCallback)).toEqual(inTime)
  },
)
