import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { orNotFound } from '#kernel/errors.ts'
import { beginSends } from '../../src/modules/messages/outbox/begin-sends.ts'
import { settleSends } from '../../src/modules/messages/outbox/settle-sends.ts'
import { findMessageOfAttempt } from '../../src/modules/messages/queries.ts'
import { createConnection, createSender, listSenders } from '../../src/modules/senders/public.ts'
import type { TestApp, TestWorkspace } from './app.ts'
import type { Client } from './client.ts'
import { eventsNamed } from './journal.ts'

const registered = { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' }

/** A workspace's number, and what its provider does: it sends callbacks, signed with the account's token. */
export interface Texting {
  app: TestApp
  workspace: TestWorkspace
  agent: Client
  connectionId: string
  senderId: string
  number: string
  /** Sends a callback as the provider does. With another `token`, the signature is that of another sender. */
  callBack(path: string, parameters: Record<string, string>, token?: string): Promise<Response>
  /** Delivers a text from this number, reported once. */
  text(from: string, body: string, more?: Record<string, string>): Promise<Response>
  status(attemptId: string, MessageStatus: string, more?: Record<string, string>): Promise<Response>
  /** Captures a lead who consents to texts. Returns the contact's id. */
  lead(phone: string): Promise<string>
  /** Queues a text. Returns the message's id. */
  send(to: string, body?: string): Promise<string>
  /** Begins the due sends. Returns the attempts. */
  begin(): Promise<{ messageId: string; attemptId: string; kind: string; to: string | null }[]>
  taken(attemptId: string, providerMessageId?: string): Promise<void>
  events(name: string): Promise<Record<string, unknown>[]>
}

let texts = 0

export async function startTexting(
  app: TestApp,
  { number = '+13125550188', simulated = true } = {},
): Promise<Texting> {
  const workspace = await app.workspace('Lantern & Oak')
  const { ctx } = workspace
  const agent = await workspace.credential()
  const secret = 'the token of the account'
  const connection = await createConnection(ctx, {
    provider: 'twilio',
    name: 'Texts',
    account: `AC${workspace.id}`,
    simulated,
    secret,
  })
  await createSender(ctx, {
    connection_id: connection.id,
    kind: number.startsWith('+1833') ? 'tollfree' : '10dlc',
    address: number,
    pace: 1000,
    registration: number.startsWith('+1833') ? { verification: 'TWILIO_APPROVED' } : registered,
  })
  const [sender] = await listSenders(ctx.db)
  const connectionId = connection.id
  const senderId = orNotFound(sender).id
  const callBack: Texting['callBack'] = (path, parameters, token = secret) => {
    const url = `${app.runtime.origin()}/callbacks/twilio/${connectionId}/${path}`
    return fetch(app.url + new URL(url).pathname, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': getExpectedTwilioSignature(token, url, parameters),
      },
      body: new URLSearchParams(parameters),
    })
  }
  return {
    app,
    workspace,
    agent,
    connectionId,
    senderId,
    number,
    callBack,
    text: (From, Body, more = {}) =>
      callBack('inbound', {
        MessageSid: `SM${String(texts++).padStart(32, '0')}`,
        From,
        To: number,
        Body,
        ...more,
      }),
    status: (attemptId, MessageStatus, more = {}) =>
      callBack(`status/${attemptId}`, { MessageSid: `SM${attemptId}`, MessageStatus, ...more }),
    async lead(phone) {
      const consent = {
        captured_at: '2026-01-02T15:00:00Z',
        source_url: 'https://lanternandoak.example/valuation',
      }
      const { body } = await agent.post('/leads', { phone, source: 'Website', skip_routing: true, consent })
      return body['contact_id']
    },
    async send(to, body = 'See you on Saturday.') {
      const response = await agent.post('/messages', { channel: 'sms', to, body })
      if (response.status !== 201) throw new Error(JSON.stringify(response.body))
      return response.body['id']
    },
    async begin() {
      const begun = await beginSends(app.runtime, { workspaceId: workspace.id, senderId }, 100)
      return begun.map(({ message, attemptId }) => ({
        messageId: message.id,
        attemptId,
        kind: message.kind,
        to: message.to,
      }))
    },
    async taken(attemptId, providerMessageId = `SM${attemptId}`) {
      const messageId = (await findMessageOfAttempt(workspace.ctx.db, attemptId)) ?? ''
      const outcome = { kind: 'taken' as const, providerMessageId }
      await settleSends(app.runtime, workspace.id, [{ messageId, attemptId, outcome }])
    },
    events: (name) => eventsNamed(app.databaseUrl, workspace.id, name),
  }
}
