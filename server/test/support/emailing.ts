import { orNotFound } from '#kernel/errors.ts'
import { parseMail } from '../../src/adapters/email/parse-mail.ts'
import { changeComplianceSettings } from '../../src/modules/compliance/public.ts'
import { bounceAddress, messageIdHeader, replyAddress } from '../../src/modules/messages/email/tokens.ts'
import { sweepConnection } from '../../src/modules/messages/inbound/sweep.ts'
import { beginSends } from '../../src/modules/messages/outbox/begin-sends.ts'
import { settleSends } from '../../src/modules/messages/outbox/settle-sends.ts'
import type { Carrier, Carriers, MailboxEntry } from '../../src/modules/messages/ports.ts'
import { createConnection, createSender, listSenders } from '../../src/modules/senders/public.ts'
import type { TestApp, TestWorkspace } from './app.ts'
import type { Client } from './client.ts'
import { asOwner } from './database.ts'
import { eventsNamed } from './journal.ts'

export const office = 'office@lantern.example'
export const sam = 'sam@reyes.example'

/** The name under which the mailbox's server writes what it found out about the author of an email. */
export const ownServer = 'mail.lantern.example'
const verified = { 'Authentication-Results': `${ownServer}; dmarc=pass` }

/** A workspace's mailbox, which tests fill, and the emails that the workspace sent. */
export interface Emailing {
  app: TestApp
  workspace: TestWorkspace
  agent: Client
  connectionId: string
  senderId: string
  /** Puts a raw mail into the mailbox. */
  deliver(mail: string | Buffer): void
  /** Reads the mailbox as a worker would. */
  read(): Promise<boolean>
  /**
   * Delivers an email with these headers and this text, and reads the mailbox. Its sender is verified, unless a header
   * says otherwise.
   */
  receive(headers: Record<string, string>, text: string): Promise<void>
  /** Captures a lead. Returns the contact's id. */
  lead(email: string): Promise<string>
  /** Sends an email, from the office unless another sender is given. Returns its ids and addresses, which lead back to it. */
  sent(to: string, from?: string): Promise<SentEmail>
  messages(filter?: string): Promise<Record<string, unknown>[]>
  message(id: string): Promise<Record<string, unknown>>
  suppressions(): Promise<{ kind: string; channels: string[]; subject: string }[]>
  events(name: string): Promise<Record<string, unknown>[]>
  carriers: Carriers
}

interface SentEmail {
  id: string
  attemptId: string
  conversationId: string
  replyTo: string
  bounceTo: string
  messageId: string
}

let mails = 0

export async function startEmailing(app: TestApp): Promise<Emailing> {
  const workspace = await app.workspace('Lantern & Oak')
  const { ctx } = workspace
  const agent = await workspace.credential()
  await changeComplianceSettings(ctx, { postal_address: '48 Alder Court, Chicago, IL 60614' })
  const draft = { provider: 'email' as const, name: 'Mail', account: 'office', secret: 'password' }
  const { id: connectionId } = await createConnection(ctx, { ...draft, simulated: true })
  await createSender(ctx, {
    connection_id: connectionId,
    kind: 'email',
    address: office,
    pace: 1000,
    registration: { domain_authenticated: true },
  })
  const senderAt = async (sought: string) =>
    orNotFound((await listSenders(ctx.db)).find(({ address }) => address === sought))
  const box: { raw: Buffer; arrivedAt: Date }[] = []
  const carriers = { twilio: undefined, whatsapp: undefined, email: mailboxOf(box, connectionId) }
  const { keys } = app.runtime
  const owner = { keys, workspaceId: workspace.id }
  const emailing: Emailing = {
    app,
    workspace,
    agent,
    connectionId,
    senderId: (await senderAt(office)).id,
    carriers,
    deliver: (mail) => void box.push({ raw: Buffer.from(mail), arrivedAt: app.clock.now() }),
    read() {
      app.clock.advance(31_000)
      return sweepConnection(app.runtime, carriers, connectionId)
    },
    async receive(headers, text) {
      const all = { 'Message-ID': `<${mails++}@mail.example>`, To: office, ...verified, ...headers }
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
      emailing.deliver([...lines, '', text].join('\r\n'))
      await emailing.read()
    },
    async lead(email) {
      const phone = `+1312555${String(1000 + mails++)}`
      const { body } = await agent.post('/leads', { phone, email, source: 'Website', skip_routing: true })
      return orNotFound(body['contact_id'])
    },
    async sent(to, from = office) {
      const email = { channel: 'email', to, from, subject: 'Your viewing', body: 'See you at 2 pm?' }
      const { status, body } = await agent.post('/messages', email)
      if (status !== 201) throw new Error(JSON.stringify(body))
      const { id: senderId } = await senderAt(from)
      const [begun] = await beginSends(app.runtime, { workspaceId: workspace.id, senderId }, 1)
      const { attemptId, message } = orNotFound(begun)
      const messageId = messageIdHeader(message.id, from)
      const outcome = { kind: 'taken' as const, providerMessageId: messageId }
      await settleSends(app.runtime, workspace.id, [{ messageId: message.id, attemptId, outcome }])
      const conversationId = orNotFound(message.conversation_id ?? undefined)
      return {
        id: message.id,
        attemptId,
        conversationId,
        messageId,
        replyTo: replyAddress(owner, from, conversationId),
        bounceTo: bounceAddress(owner, from, attemptId),
      }
    },
    messages: async (filter = '?direction=INBOUND') => (await agent.get(`/messages${filter}`)).body['data'],
    message: async (id) => (await agent.get(`/messages/${id}`)).body,
    suppressions: async () =>
      asOwner(
        app.databaseUrl,
        `select kind, channels from suppressions where workspace_id = $1 and lifted_at is null order by id`,
        [workspace.id],
      ),
    events: (name) => eventsNamed(app.databaseUrl, workspace.id, name),
  }
  return emailing
}

/** A carrier that only reads a mailbox in memory. */
function mailboxOf(box: { raw: Buffer; arrivedAt: Date }[], connectionId: string): Carrier {
  return {
    send: async () => ({ kind: 'unknown', message: 'Sends nothing.' }),
    find: async () => undefined,
    readCallback: () => undefined,
    listInbound: async () => [],
    forget: async () => false,
    async *readMailbox(account, { position }): AsyncGenerator<MailboxEntry> {
      if (account.id !== connectionId) return
      for (let place = Number(position ?? 0); place < box.length; place++) {
        const { raw, arrivedAt } = orNotFound(box[place])
        yield { mail: await parseMail(raw, arrivedAt, [ownServer]), position: String(place + 1) }
      }
    },
  }
}
