import { changeComplianceSettings } from '@gable/server/src/modules/compliance/public.ts'
import { createConnection, createSender } from '@gable/server/src/modules/senders/public.ts'
import { type TestApp, type TestWorkspace, testApp, towardsLoopback } from '@gable/server/test/support/app.ts'
import type { Client } from '@gable/server/test/support/client.ts'
import { asOwner, freshDatabase } from '@gable/server/test/support/database.ts'
import { ImapFlow } from 'imapflow'
import { type SendMailOptions, createTransport } from 'nodemailer'
import { vi } from 'vitest'
import { bounds } from './bounds.ts'
import type { Mailbox } from './dovecot.ts'
import { type MailServers, startMailServers } from './servers.ts'

/** With what passwords may have in them. */
export const office: Mailbox = { address: 'office@lantern.example', password: 'pass "word" \\ ñ' }
export const sam: Mailbox = { address: 'sam@reyes.example', password: 'sam' }

/** A workspace whose email goes through the mail servers, with the server's own worker. */
export interface Scene extends AsyncDisposable {
  servers: MailServers
  app: TestApp
  workspace: TestWorkspace
  agent: Client
  connectionId: string
  /** Sends an email, and returns its id. */
  send(to: string, more?: object): Promise<string>
  read(id: string): Promise<Record<string, unknown>>
  statusOf(id: string): Promise<string | undefined>
  /** Waits for the status of a message while the clock stands. */
  until(id: string, status: string): Promise<Record<string, unknown>>
  /** Lets time pass until something holds. The mailbox is read meanwhile. */
  eventually(holds: () => Promise<boolean> | boolean): Promise<void>
  /** What came in, oldest first. */
  inbound(): Promise<Record<string, unknown>[]>
  attempts(id: string): Promise<{ outcome: string | null; detail: Record<string, unknown> | null }[]>
  /** What is in the mailbox of a person, as it came, oldest first. */
  mailsOf(mailbox: Mailbox, folder?: string): Promise<string[]>
  /** A person sends a mail from outside. */
  write(mail: SendMailOptions): Promise<void>
}

export async function openScene(
  name: string,
  settings: (servers: MailServers) => Record<string, string>,
  more: { dkim_key?: string } = {},
): Promise<Scene> {
  await using opened = new AsyncDisposableStack()
  const databaseUrl = await freshDatabase(`mail_servers_${name}`)
  const servers = opened.use(await startMailServers([office, sam]))
  const app = opened.use(
    await testApp({ role: 'all', databaseUrl, now: new Date(), egress: towardsLoopback }),
  )
  const workspace = await app.workspace('Lantern & Oak')
  const { ctx } = workspace
  const agent = await workspace.credential()
  await changeComplianceSettings(ctx, { postal_address: '48 Alder Court, Chicago, IL 60614' })
  const { id: connectionId } = await createConnection(ctx, {
    provider: 'email',
    name: 'Mail',
    account: office.address,
    secret: office.password,
    settings: settings(servers),
    ...more,
  })
  await createSender(ctx, {
    connection_id: connectionId,
    kind: 'email',
    address: office.address,
    pace: 1000,
    registration: { domain_authenticated: true },
  })
  const read = async (id: string) => (await agent.get(`/messages/${id}`)).body
  // Not over HTTP, where a key has a limit for each minute, and the clock stands.
  const statusOf = async (id: string) =>
    (await asOwner<{ status: string }>(databaseUrl, 'select status from messages where id = $1', [id]))[0]
      ?.status
  const all = opened.move()
  return {
    servers,
    app,
    workspace,
    agent,
    connectionId,
    read,
    statusOf,
    async send(to, draft = {}) {
      const email = { channel: 'email', to, subject: 'Your viewing', body: 'See you at 2 pm.', ...draft }
      const { status, body } = await agent.post('/messages', email)
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body['id']
    },
    async until(id, status) {
      await vi.waitUntil(async () => (await statusOf(id)) === status, bounds)
      return read(id)
    },
    eventually: async (holds) => {
      await vi.waitUntil(async () => {
        if (await holds()) return true
        app.clock.advance(5_000)
        return false
      }, bounds)
    },
    inbound: () =>
      asOwner(
        databaseUrl,
        "select * from messages where workspace_id = $1 and direction = 'INBOUND' order by id",
        [workspace.id],
      ),
    attempts: (id) =>
      asOwner(databaseUrl, 'select outcome, detail from message_attempts where message_id = $1 order by id', [
        id,
      ]),
    mailsOf: (mailbox, folder = 'INBOX') => mailsOf(servers.ports.imap, mailbox, folder),
    async write(mail) {
      const transport = createTransport({ host: '127.0.0.1', port: servers.ports.mx, ignoreTLS: true })
      await transport.sendMail({ from: sam.address, to: office.address, ...mail })
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function mailsOf(
  port: number,
  { address: user, password: pass }: Mailbox,
  folder: string,
): Promise<string[]> {
  const client = new ImapFlow({ host: 'localhost', port, secure: false, auth: { user, pass }, logger: false })
  await client.connect()
  try {
    await client.mailboxOpen(folder, { readOnly: true })
    const mails = await client.fetchAll('1:*', { uid: true, source: true }, { uid: true }).catch(() => [])
    return mails.map(({ source }) => String(source))
  } finally {
    await client.logout()
  }
}
