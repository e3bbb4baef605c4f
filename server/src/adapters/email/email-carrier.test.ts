import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { type MailServerOptions, mailServer } from '#test/mail/mail-server.ts'
import type { Cleared } from '../../modules/compliance/public.ts'
import type { OutgoingMessage, ProviderAccount } from '../../modules/messages/ports.ts'
import { emailCarrier } from './email-carrier.ts'
import { email } from './email.fixtures.ts'

const egress = createEgress({ allowHttp: 'none', allowPrivate: 'loopback' })

const accountAt = (port: number, more: Partial<ProviderAccount> = {}): ProviderAccount => ({
  id: 'cmi8h2k5p0001zq8r4t6w9x3y',
  workspaceId: 'cmi8h2k5p0000zq8r4t6w9x3y',
  provider: 'email',
  name: 'office',
  settings: {},
  email: { smtp: { host: '127.0.0.1', port, secure: false }, imap: null, dkim: null },
  simulated: false,
  secrets: ['pass word'],
  ...more,
})

const cleared = { validUntil: Infinity } as Cleared<OutgoingMessage>

function carrier({ opened = () => {}, patience = { readyMs: 20_000, allMs: 40_000 } } = {}) {
  return emailCarrier({
    egress,
    open: () => {
      opened()
      return email
    },
    clock: systemClock,
    simulatedUrl: () => 'http://127.0.0.1:1',
    patience,
  })
}

const start = (options: MailServerOptions = {}) => mailServer({ login: 'office:pass word', ...options })

const taken = { kind: 'taken', providerMessageId: '<cmi8h5d1w0004p8k3j6q2z9a7@lantern.example>' }
const later = (code: string, carrierCode: string | null) => ({
  kind: 'later',
  failure: { code, carrierCode, message: expect.any(String) },
  retryAfterMs: code === 'credentials_rejected' ? 600_000 : null,
})
const rejected = (code: string, carrierCode: string | null) => ({
  kind: 'rejected',
  failure: { code, carrierCode, message: expect.any(String) },
})
const unknown = { kind: 'unknown', message: expect.any(String) }
const says = (to: 'connection' | 'sender' | 'recipient' | 'message', code: number, text: string) => ({
  rejections: [{ to, code, text }],
})

test.for<[what: string, server: MailServerOptions, outcome: object]>([
  ['a mail that is taken', {}, taken],
  ['a mail without a login', { login: '', disabledCommands: ['AUTH', 'STARTTLS'] }, taken],
  ['another login', { login: 'office:other' }, later('credentials_rejected', '535')],
  [
    'an unknown recipient',
    says('recipient', 550, '5.1.1 No such user'),
    rejected('recipient_invalid', '5.1.1'),
  ],
  [
    'a domain without mail',
    says('recipient', 556, '5.1.10 Null MX'),
    rejected('recipient_invalid', '5.1.10'),
  ],
  ['a full mailbox', says('recipient', 552, '5.2.2 Mailbox full'), rejected('rejected', '5.2.2')],
  ['a recipient, without a status', says('recipient', 550, 'No'), rejected('rejected', '550')],
  ['a recipient for now', says('recipient', 450, '4.7.1 Greylisted'), later('provider_unavailable', '4.7.1')],
  ['a sender that it does not take', says('sender', 553, '5.1.8 Bad sender'), rejected('rejected', '5.1.8')],
  ['a sender for now', says('sender', 451, '4.3.0 Later'), later('provider_unavailable', '4.3.0')],
  ['a login that is missing', says('sender', 530, '5.7.0 Sign in'), later('credentials_rejected', '5.7.0')],
  ['content that it does not take', says('message', 554, '5.7.1 Spam'), rejected('rejected', '5.7.1')],
  ['content for now', says('message', 451, '4.3.0 Later'), later('provider_unavailable', '4.3.0')],
  ['a mail that is too large', { size: 100 }, rejected('rejected', null)],
  ['no one at all', says('connection', 554, '5.3.2 Closed'), later('provider_unavailable', '5.3.2')],
  ['no one for now', says('connection', 421, '4.3.2 Busy'), later('provider_unavailable', '4.3.2')],
])('sending yields the right outcome for: %s', async ([, options, outcome]) => {
  await using server = await start(options)
  let opened = 0
  const send = carrier({ opened: () => void opened++ }).send(accountAt(server.port), cleared)
  expect(await send).toEqual(outcome)
  expect(opened).toBeLessThanOrEqual(1)
  expect(server.arrived.length).toBe(outcome === taken ? 1 : 0)
})

/** An SMTP server that, instead of sending a certain reply, does something to the socket. */
async function breaksOff(at: RegExp | 'greeting', happen: (socket: Socket) => void) {
  let commands = ''
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (at === 'greeting') return happen(socket)
    let inData = false
    socket.write('220 here\r\n')
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      commands += chunk
      if (at.test(chunk)) return happen(socket)
      if (inData) {
        inData = !chunk.endsWith('\r\n.\r\n')
        if (!inData) socket.write('250 taken\r\n')
      } else if (chunk.startsWith('DATA')) {
        inData = true
        socket.write('354 go\r\n')
      } else socket.write('250 yes\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    commands: () => commands,
    [Symbol.asyncDispose]: () => {
      sockets.forEach((socket) => socket.destroy())
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const reset = (socket: Socket) => void socket.resetAndDestroy()
const sayNothing = () => {}
const unavailable = later('provider_unavailable', null)

test.for<[what: string, at: RegExp | 'greeting', happens: (socket: Socket) => void, outcome: object]>([
  ['before the greeting', 'greeting', reset, unavailable],
  ['after EHLO', /^EHLO/, reset, unavailable],
  ['after MAIL FROM', /^MAIL/, reset, unavailable],
  ['after RCPT TO', /^RCPT/, reset, unavailable],
  ['after DATA', /^DATA/, reset, unavailable],
  ['after the content', /\r\n\.\r\n$/, reset, unknown],
  ['after the content, with an end', /\r\n\.\r\n$/, (socket) => socket.end(), unknown],
])('a connection lost %s yields the right outcome', async ([, at, happens, outcome]) => {
  await using server = await breaksOff(at, happens)
  expect(await carrier().send(accountAt(server.port), cleared)).toEqual(outcome)
})

test.for<[what: string, at: RegExp | 'greeting', outcome: object, opens: boolean]>([
  ['from the start', 'greeting', unavailable, false],
  ['to MAIL FROM', /^MAIL/, unavailable, true],
  ['to the content', /\r\n\.\r\n$/, unknown, true],
])('a server that does not respond %s times out with the right outcome', async ([, at, outcome, opens]) => {
  await using server = await breaksOff(at, sayNothing)
  let opened = 0
  const patience = { readyMs: 300, allMs: 600 }
  const { send } = carrier({ patience, opened: () => void opened++ })
  expect(await send(accountAt(server.port), cleared)).toEqual(outcome)
  expect(opened).toBe(opens ? 1 : 0)
})

test('a message is sent later if the port is closed', async () => {
  const server = await breaksOff('greeting', reset)
  await server[Symbol.asyncDispose]()
  expect(await carrier().send(accountAt(server.port), cleared)).toEqual(unavailable)
})

test('a message is sent later if the account names no mail server', async () => {
  const { email: _, ...account } = accountAt(1)
  expect(await carrier().send(account, cleared)).toEqual(later('credentials_rejected', null))
})

test('a message that cannot be opened is not sent', async () => {
  await using server = await start()
  const opened = () => {
    throw new Error('It was not cleared.')
  }
  expect(await carrier({ opened }).send(accountAt(server.port), cleared)).toEqual(unknown)
  expect(server.arrived).toEqual([])
})

describe('a mail server’s error message', () => {
  test('is kept without addresses', async () => {
    await using server = await start(
      says('recipient', 550, '5.1.1 <sam@reyes.example>: no sam@reyes.example'),
    )
    const outcome = await carrier().send(accountAt(server.port), cleared)
    expect(JSON.stringify(outcome)).not.toContain('reyes')
    expect(outcome).toMatchObject({
      failure: { message: expect.stringContaining('<(address)>: no (address)') },
    })
  })
})

test('the envelope has the bounce address and the one recipient', async () => {
  await using server = await start()
  expect(await carrier().send(accountAt(server.port), cleared)).toEqual(taken)
  expect(server.arrived).toEqual([
    expect.objectContaining({ from: 'office+b-x@lantern.example', to: ['sam@reyes.example'] }),
  ])
})
