import { emailCarrier } from '@gable/server/src/adapters/email/email-carrier.ts'
import { email } from '@gable/server/src/adapters/email/email.fixtures.ts'
import { readImapMailbox } from '@gable/server/src/adapters/email/mailbox.ts'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { createEgress } from '@gable/server/src/kernel/egress/create-egress.ts'
import { readMailServer } from '@gable/server/src/kernel/mail-server.ts'
import type { ProviderAccount } from '@gable/server/src/modules/messages/ports.ts'
import { updateConnection } from '@gable/server/src/modules/senders/public.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bounds } from './bounds.ts'
import { type Scene, office, openScene, sam } from './scene.ts'

const egress = createEgress({ allowHttp: 'none', allowPrivate: 'loopback' })

let scene: Scene
beforeAll(async () => {
  scene = await openScene('signing_in', ({ ports }) => ({
    smtp: `smtp://localhost:${ports.submission}`,
    imap: `imap://localhost:${ports.imap}`,
  }))
})
afterAll(() => scene[Symbol.asyncDispose]())

type Ports = Scene['servers']['ports']

function account(smtp: string, secret = office.password): ProviderAccount {
  const server = readMailServer('smtp', smtp)
  if (server === undefined) throw new Error(`${smtp} is no mail server.`)
  return {
    id: '',
    workspaceId: '',
    provider: 'email',
    name: office.address,
    settings: {},
    email: { smtp: server, imap: null, dkim: null },
    simulated: false,
    secrets: [secret],
  }
}

/** Sends one email, and returns the outcome and whether the email was opened for it. */
async function sendVia(one: ProviderAccount) {
  let isOpened = false
  const carrier = emailCarrier({
    egress,
    open: () => {
      isOpened = true
      return email
    },
    clock: systemClock,
    simulatedUrl: () => '',
  })
  return { outcome: await carrier.send(one, { validUntil: Infinity } as never), isOpened }
}

const taken = { outcome: { kind: 'taken' }, isOpened: true }
const notYet = (code: string, message: string) => ({
  outcome: { kind: 'later', failure: { code, message: expect.stringContaining(message) } },
  isOpened: false,
})

test.for<[string, (ports: Ports) => ProviderAccount, object]>([
  ['with STARTTLS', ({ submission }) => account(`smtp://localhost:${submission}`), taken],
  ['with TLS from the start', ({ submissions }) => account(`smtps://localhost:${submissions}`), taken],
  [
    'with a wrong password',
    ({ submission }) => account(`smtp://localhost:${submission}`, 'wrong'),
    notYet('credentials_rejected', 'authentication failed'),
  ],
  [
    'of another name than its certificate',
    ({ submission }) => account(`smtp://127.0.0.1:${submission}`),
    notYet('provider_unavailable', 'certificate'),
  ],
  [
    'with TLS from the start, of another name',
    ({ submissions }) => account(`smtps://127.0.0.1:${submissions}`),
    notYet('provider_unavailable', 'certificate'),
  ],
  [
    'that speaks TLS later than is asked for',
    ({ submission }) => account(`smtps://localhost:${submission}`),
    notYet('provider_unavailable', ''),
  ],
])(
  'sending through Postfix %s has the expected outcome and does not show the password',
  async ([, accountAt, expected]) => {
    const found = await sendVia(accountAt(scene.servers.ports))
    expect(found).toMatchObject(expected)
    expect(JSON.stringify(found)).not.toContain(office.password)
  },
)

const read = (imap: string, secret = office.password) => {
  const server = readMailServer('imap', imap)
  if (server === undefined) throw new Error(`${imap} is no mail server.`)
  const login = { name: office.address, secrets: [secret] as const }
  return Array.fromAsync(
    readImapMailbox(egress, { ...server, mailbox: 'INBOX', authservIds: [] }, login, {
      position: null,
      since: new Date(0),
    }),
  )
}

test.for<[string, (ports: Ports) => string]>([
  ['with STARTTLS', ({ imap }) => `imap://localhost:${imap}`],
  ['with TLS from the start', ({ imaps }) => `imaps://localhost:${imaps}`],
])('Dovecot %s is read', async ([, url]) => {
  expect(await read(url(scene.servers.ports))).toEqual([
    { mail: null, position: expect.stringMatching(/^\d+:0$/) },
  ])
})

test.for<[string, (ports: Ports) => string, string, string]>([
  [
    'with a wrong password',
    ({ imap }) => `imap://localhost:${imap}`,
    'wrong',
    'does not accept the name and password',
  ],
  [
    'of another name than its certificate',
    ({ imap }) => `imap://127.0.0.1:${imap}`,
    office.password,
    'cannot be read: .*certificate',
  ],
  [
    'of another name, with TLS from the start',
    ({ imaps }) => `imaps://127.0.0.1:${imaps}`,
    office.password,
    'cannot be read: .*certificate',
  ],
])('Dovecot %s is not read', async ([, url, secret, message]) => {
  const error: unknown = await read(url(scene.servers.ports), secret).catch((error_: unknown) => error_)
  expect(String(error)).toMatch(new RegExp(message))
  expect(String(error)).not.toContain(secret)
})

test('a password changed at the mail servers holds messages until it is replaced', async () => {
  const { app, workspace, connectionId } = scene
  await updateConnection(workspace.ctx, connectionId, { secret: 'wrong' })
  app.clock.advance(130_000)
  const id = await scene.send(sam.address)
  const connection = async () =>
    (
      await asOwner<{ mailbox_error: string | null; mailbox_failures: number }>(
        app.databaseUrl,
        'select * from connections where id = $1',
        [connectionId],
      )
    )[0]
  await scene.eventually(async () => (await connection())?.mailbox_error !== null)
  expect(await connection()).toMatchObject({
    mailbox_error: expect.stringContaining('localhost does not accept the name and password'),
  })
  expect(await scene.attempts(id)).toEqual([])
  await updateConnection(workspace.ctx, connectionId, { secret: office.password })
  await scene.eventually(async () => (await connection())?.mailbox_error === null)
  await scene.until(id, 'sent')
  await vi.waitUntil(async () => (await scene.mailsOf(sam)).some((raw) => raw.includes(id)), bounds)
})

test('a send-only account notices a wrong password with the first message, which waits', async () => {
  const { app, workspace, connectionId, servers } = scene
  const settings = { smtp: `smtp://localhost:${servers.ports.submission}` }
  await updateConnection(workspace.ctx, connectionId, { settings, secret: 'wrong' })
  app.clock.advance(130_000)
  const id = await scene.send(sam.address)
  await vi.waitUntil(async () => (await scene.attempts(id))[0]?.outcome === 'later', bounds)
  expect(await scene.read(id)).toMatchObject({ status: 'queued', error: null })
  const shown = async () => (await scene.agent.get(`/connections/${connectionId}`)).body
  await vi.waitUntil(async () => (await shown())['credentials_rejected_at'] !== null, bounds)
  await updateConnection(workspace.ctx, connectionId, { secret: office.password })
  app.clock.advance(600_000)
  await scene.until(id, 'sent')
  expect((await shown())['credentials_rejected_at']).toBeNull()
})
