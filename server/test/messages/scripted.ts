import type { Runtime } from '#kernel/context.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { eventsOfMessage } from '#test/support/journal.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { open } from '../../src/modules/compliance/public.ts'
import { createDispatcher } from '../../src/modules/messages/outbox/dispatcher.ts'
import type {
  Carrier,
  Carriers,
  OutgoingMessage,
  SendOutcome,
  StatusReport,
} from '../../src/modules/messages/ports.ts'
import { findDefaultSender, updateSender } from '../../src/modules/senders/public.ts'

export const unclear: SendOutcome = { kind: 'unknown', message: 'no response' }
export const failure = (code: 'rejected' | 'provider_unavailable') => ({
  code,
  carrierCode: '20429',
  message: 'No.',
})
export const later: SendOutcome = {
  kind: 'later',
  failure: failure('provider_unavailable'),
  retryAfterMs: null,
}
export const rejected: SendOutcome = { kind: 'rejected', failure: failure('rejected') }

/** What a carrier does with messages, and what it received. */
export interface Script {
  sent: OutgoingMessage[]
  /** The outcomes of the next messages. All others are taken. */
  outcomes: SendOutcome[]
  /** Called with each message, before the outcome. */
  during: (message: OutgoingMessage) => Promise<unknown> | void
  looked: Date[]
  found: StatusReport | undefined
  /** The provider's ids of the messages that the carrier was asked to forget, and whether it does. */
  forgotten: string[]
  forgets: boolean
  /** The provider's ids of the messages whose status was read, and what the provider says. */
  read: string[]
  status: (providerMessageId: string) => StatusReport | undefined
}

export interface Scene extends AsyncDisposable {
  app: TestApp
  /** Every test has its own workspace and an empty queue. */
  workspace: TestWorkspace
  agent: Client
  script: Script
  carriers: Carriers
  /** Begins the next test, at 9 or 10 am on a Monday in Chicago. */
  begin(): Promise<void>
  /** Lets the dispatcher poll once, and waits for what it began. Returns the texts that the carrier received. */
  look(runtime?: Runtime): Promise<(string | null)[]>
  /** A person who has consented to texts, with a new number each time. */
  person(): Promise<string>
  send(to: string, body: string, more?: object): Promise<string>
  read(id: string): Promise<Record<string, unknown>>
  /** Names of the events of a message, in order. */
  eventsOf(id: string): Promise<string[]>
  count(table: 'outbox' | 'message_attempts' | 'message_removals'): Promise<number>
}

/**
 * The application without a worker, with a dispatcher that polls when a test calls it, and a carrier that follows the
 * script.
 */
export async function openScene(name: string): Promise<Scene> {
  const databaseUrl = await freshDatabase(name)
  const app = await testApp({ databaseUrl })
  const queue = app.runtime.database.across('gable_sender')
  let workspace: TestWorkspace
  let agent: Client
  let script: Script
  let weeks = 0
  const carrier: Carrier = {
    async send(_account, cleared) {
      const message = open(cleared, app.clock.now())
      script.sent.push(message)
      await script.during(message)
      return script.outcomes.shift() ?? { kind: 'taken', providerMessageId: `SM${message.attemptId}` }
    },
    async find() {
      script.looked.push(app.clock.now())
      return script.found
    },
    readCallback: () => undefined,
    listInbound: async () => [],
    async readStatus(_account, providerMessageId) {
      script.read.push(providerMessageId)
      return script.status(providerMessageId)
    },
    async forget(_account, providerMessageId) {
      script.forgotten.push(providerMessageId)
      return script.forgets
    },
  }
  const carriers: Carriers = { twilio: carrier, whatsapp: undefined, email: carrier }
  let people = 0
  const rows = (text: string, values: unknown[] = []) => asOwner<{ value: string }>(databaseUrl, text, values)
  const dispatchers = new Map<Runtime, ReturnType<typeof createDispatcher>>()
  return {
    app,
    carriers,
    get workspace() {
      return workspace
    },
    get agent() {
      return agent
    },
    get script() {
      return script
    },
    async begin() {
      await asOwner(databaseUrl, 'delete from outbox')
      await asOwner(databaseUrl, 'delete from message_removals')
      app.clock.set(new Date(Date.parse('2026-03-02T15:00:00.000Z') + weeks++ * 7 * 24 * 3_600_000))
      script = {
        sent: [],
        outcomes: [],
        during: () => undefined,
        looked: [],
        found: undefined,
        forgotten: [],
        forgets: true,
        read: [],
        status: () => undefined,
      }
      workspace = await app.workspace()
      agent = await workspace.credential()
      await readyToSend(workspace)
      const sender = await findDefaultSender(workspace.ctx.db, 'SMS')
      await updateSender(workspace.ctx, sender?.id ?? '', { pace: 100 })
    },
    async look(runtime = app.runtime) {
      const dispatcher = dispatchers.get(runtime) ?? createDispatcher(runtime, carriers, queue, () => true)
      dispatchers.set(runtime, dispatcher)
      const before = script.sent.length
      await dispatcher.look()
      await dispatcher.settled()
      return script.sent.slice(before).map(({ body }) => body)
    },
    async person() {
      const phone = `+1312555${1000 + people++}`
      await agent.post('/leads', {
        phone,
        source: 'Website',
        skip_routing: true,
        consent: { captured_at: '2026-01-02T15:00:00Z', source_url: 'https://lanternandoak.example/a' },
      })
      return phone
    },
    async send(to, body, more = {}) {
      const { status, body: message } = await agent.post('/messages', { channel: 'sms', to, body, ...more })
      if (status !== 201) throw new Error(JSON.stringify(message))
      return message['id']
    },
    read: async (id) => (await agent.get(`/messages/${id}`)).body,
    eventsOf: (id) => eventsOfMessage(databaseUrl, id),
    async count(table) {
      const [row] = await rows(`select count(*)::text as value from ${table}`)
      return Number(row?.value)
    },
    async [Symbol.asyncDispose]() {
      await queue[Symbol.asyncDispose]()
      await app[Symbol.asyncDispose]()
    },
  }
}
