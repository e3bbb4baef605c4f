import { once } from 'node:events'
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net'
import {
  type SecureContextOptions,
  TLSSocket,
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
} from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { mailServer } from '#test/mail/mail-server.ts'
import { twilioAccount } from '#test/support/accounts.ts'
import { emailCarrier } from '../../src/adapters/email/email-carrier.ts'
import { email } from '../../src/adapters/email/email.fixtures.ts'
import { readImapMailbox } from '../../src/adapters/email/mailbox.ts'
import { certificateAuthority } from './certificates.ts'

const host = 'mail.lantern.example'
/** Resolves every name to this machine, so only the certificate shows which host it is. */
const egress = createEgress({
  allowHttp: 'none',
  allowPrivate: 'loopback',
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
})

const trusted = getCACertificates('default')
let certificate: SecureContextOptions
beforeAll(async () => {
  const { ca, issue } = await certificateAuthority()
  certificate = await issue(host)
  setDefaultCACertificates([...trusted, ca])
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await egress[Symbol.asyncDispose]()
})

const carrier = emailCarrier({ egress, open: () => email, clock: systemClock, simulatedUrl: () => '' })

test.for([
  [true, host, 'taken'],
  [false, host, 'taken'],
  [true, 'other.lantern.example', 'later'],
  [false, 'other.lantern.example', 'later'],
  [true, '127.0.0.1', 'later'],
] as const)('SMTP with TLS from the start %s to %s is %s', async ([secure, name, kind]) => {
  await using server = await mailServer({ ...certificate, secure, login: 'AC0123:token' })
  const smtp = { host: name, port: server.port, secure }
  const account = { ...twilioAccount, simulated: false, email: { smtp, imap: null, dkim: null } }
  const outcome = await carrier.send(account, { validUntil: Infinity } as never)
  expect(outcome).toMatchObject({ kind })
  expect(server.arrived.map(({ secure: isSecure }) => isSecure)).toEqual(kind === 'taken' ? [true] : [])
  if (kind === 'later') expect(JSON.stringify(outcome)).toContain('certificate')
  expect(server.logins).toHaveLength(kind === 'taken' ? 1 : 0)
})

test.for([
  [true, host, true],
  [false, host, true],
  [true, 'other.lantern.example', false],
  [false, 'other.lantern.example', false],
] as const)('IMAP with TLS from the start %s to %s: %s', async ([secure, name, signsIn]) => {
  let commands = ''
  const tagOf = (line: Buffer) => String(line).split(' ')[0]
  const overTls = (socket: TLSSocket) =>
    socket
      .on('error', () => {})
      .on('data', (line: Buffer) => {
        commands += line
        socket.end(`${tagOf(line)} BAD no\r\n`)
      })
  const greet = (socket: Socket) => {
    socket.on('error', () => {}).write('* OK [CAPABILITY IMAP4rev1 STARTTLS AUTH=PLAIN] ready\r\n')
    if (socket instanceof TLSSocket) return void overTls(socket)
    socket.once('data', (line: Buffer) => {
      socket.write(`${tagOf(line)} OK begin\r\n`)
      overTls(new TLSSocket(socket, { isServer: true, ...certificate }))
    })
  }
  const server: Server = secure
    ? createTlsServer(certificate, greet).on('tlsClientError', () => {})
    : createServer(greet)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const reading = readImapMailbox(
    egress,
    { host: name, port, secure, mailbox: 'INBOX', authservIds: [] },
    { name: 'office', secrets: ['password'] },
    { position: null, since: new Date() },
  )
  await expect(Array.fromAsync(reading)).rejects.toThrow(
    signsIn ? /cannot be read|does not accept/ : /certificate/,
  )
  expect(commands !== '').toBe(signsIn)
  server.close()
})
