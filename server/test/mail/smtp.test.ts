import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { connectionOptions } from '../../src/adapters/smtp/connection-options.ts'
import { type SmtpServer, smtpSender } from '../../src/adapters/smtp/smtp-sender.ts'
import type { Letter } from '../../src/modules/mail/ports.ts'
import { certificateAuthority, selfSigned } from '../egress/certificates.ts'
import { type MailServerOptions, mailServer, plainWords } from './mail-server.ts'

const from = 'gable@brokerage.example'

const letter = (parts: Partial<Letter> = {}): Letter => ({
  id: `c${'7'.repeat(24)}`,
  writtenAt: new Date('2026-03-02T15:00:00.000Z'),
  to: 'ada@lantern.example',
  subject: 'Set your password',
  text: 'Hello Ada\n\nhttps://gable.example/welcome?token=abc=def\n',
  ...parts,
})

const impatient = { responseMs: 300, handoverMs: 2000 }

/** Sends to a local server under the name mail.lantern.example, without DNS. */
async function sendTo(
  options: MailServerOptions,
  {
    url = 'smtp://mail.lantern.example',
    parts = {},
    ...more
  }: Partial<SmtpServer> & { parts?: Partial<Letter> } = {},
) {
  await using server = await mailServer(options)
  const place = { host: '127.0.0.1', port: server.port }
  const outcome = await smtpSender({ url, from, place, ...more })(letter(parts))
  return { outcome, ...server }
}

test('an email arrives once, with the right sender and recipient, and is marked as automated', async () => {
  const { outcome, arrived } = await sendTo({})
  expect(outcome).toEqual({ kind: 'taken', answer: expect.stringMatching(/^250 /), code: '250' })
  expect(arrived).toHaveLength(1)
  expect(arrived[0]).toMatchObject({
    from,
    to: ['ada@lantern.example'],
    user: undefined,
    body: letter().text.replaceAll('\n', '\r\n'),
  })
  expect(Object.fromEntries(arrived[0]?.headers ?? [])).toEqual({
    from: [from],
    to: ['ada@lantern.example'],
    subject: ['Set your password'],
    date: ['Mon, 02 Mar 2026 15:00:00 +0000'],
    'message-id': [`<c${'7'.repeat(24)}@brokerage.example>`],
    'auto-submitted': ['auto-generated'],
    'mime-version': ['1.0'],
    'content-type': ['text/plain; charset=utf-8'],
    'content-transfer-encoding': ['7bit'],
  })
})

const words: [string, string][] = [
  ['other scripts', 'Évora Homes – καλημέρα 🏡'],
  ['many words', `Long ${'ünd '.repeat(120)}end`],
  ['many plain words', `Long ${'and '.repeat(120)}end`],
  ['one long word', 'a'.repeat(500)],
  ['what looks encoded', '=C3=A9 %C3%A9 =?'],
]

test.for(words)('%s arrive as written, in ASCII lines of at most 998 bytes', async ([, said]) => {
  const text = `${said}\n.\n..\nFrom ${said.repeat(5)}\n`
  const { arrived } = await sendTo({}, { parts: { subject: said, text } })
  const { raw = '', headers, body } = arrived[0] ?? {}
  expect(plainWords(headers?.get('subject')?.[0] ?? '')).toBe(said)
  expect(body).toBe(text.replaceAll('\n', '\r\n'))
  // RFC 5322, 2.1.1: the limit excludes the line break.
  const longest = Math.max(...raw.split('\r\n').map((line) => Buffer.byteLength(line)))
  expect(longest).toBeLessThanOrEqual(998)
  expect(/^[\0-\x7f]*$/.test(raw)).toBe(true)
})

test('an overlong subject is truncated', async () => {
  const { arrived } = await sendTo({}, { parts: { subject: 'a'.repeat(5000) } })
  expect(arrived[0]?.headers.get('subject')).toEqual(['a'.repeat(500)])
})

const injections = [
  '\r\nBcc: eve@evil.example',
  '\nBcc: eve@evil.example',
  '\r\n\r\nHello',
  '\rBcc: eve@evil.example',
  '\u2028Bcc: eve@evil.example',
  '\0',
]

test.for(injections)('a subject with %j adds no header and no recipient', async (hostile) => {
  const { arrived } = await sendTo({}, { parts: { subject: `Hello${hostile}` } })
  expect(arrived[0]?.to).toEqual(['ada@lantern.example'])
  expect([...(arrived[0]?.headers.keys() ?? [])]).not.toContain('bcc')
  expect(arrived[0]?.headers.get('subject')).toHaveLength(1)
  expect(arrived[0]?.body).toContain('Hello Ada')
})

const noAddresses = [
  '',
  'ada',
  'ada@lantern.example\r\nRCPT TO:<eve@evil.example>',
  'ada@lantern.example, eve@evil.example',
  'ada@lantern.example eve@evil.example',
  'Ada <ada@lantern.example>',
  '<ada@lantern.example>',
  '"a@b" <eve@evil.example>',
  'group: eve@evil.example;',
  'ada@lantern.example\n',
]

test.for(noAddresses)('rejects a recipient that is not a single address: %j', async (to) => {
  const { outcome, connections } = await sendTo({}, { parts: { to } })
  expect([outcome.kind, connections]).toEqual(['rejected', 0])
})

const rejections: [string, MailServerOptions['rejections'], string, string][] = [
  ['a greeting of 421', [{ to: 'connection', code: 421, text: 'too busy' }], 'later', '421'],
  ['a greeting of 554', [{ to: 'connection', code: 554, text: 'no service' }], 'later', '554'],
  ['a sender rejected with 451', [{ to: 'sender', code: 451, text: 'try again' }], 'later', '451'],
  ['a sender rejected with 550', [{ to: 'sender', code: 550, text: 'not from there' }], 'rejected', '550'],
  ['a login that is asked for', [{ to: 'sender', code: 530, text: 'login first' }], 'later', '530'],
  ['a recipient put off by 450', [{ to: 'recipient', code: 450, text: 'greylisted' }], 'later', '450'],
  [
    'a recipient rejected with 550',
    [{ to: 'recipient', code: 550, text: 'no such user' }],
    'rejected',
    '550',
  ],
  ['a message put off by 452', [{ to: 'message', code: 452, text: 'disk full' }], 'later', '452'],
  ['a message rejected with 554', [{ to: 'message', code: 554, text: 'spam' }], 'rejected', '554'],
]

test.for(rejections)(
  '%s is mapped to an outcome with its code and reply',
  async ([, script = [], kind, code]) => {
    const { outcome, arrived } = await sendTo({ rejections: [...script] })
    expect(outcome).toEqual({ kind, code, answer: expect.stringContaining(script[0]?.text ?? 'never') })
    expect(arrived).toEqual([])
  },
)

const login = 'gable@lantern:pass/word'
const withLogin = 'smtp://gable%40lantern:pass%2Fword@mail.lantern.example'

test('credentials are sent over TLS; a server without TLS gets neither them nor the email', async () => {
  const ca = await certificateAuthority()
  const certificate = await ca.issue('mail.lantern.example')
  const secured = await sendTo({ ...certificate, login }, { url: withLogin, ca: ca.ca })
  expect([secured.outcome.kind, secured.arrived[0]?.user, secured.arrived[0]?.secure]).toEqual([
    'taken',
    'gable@lantern',
    true,
  ])
  const bare = await sendTo({ login }, { url: withLogin })
  expect([bare.outcome.kind, bare.logins, bare.arrived]).toEqual(['later', [], []])
})

test('after a wrong SMTP password, the email waits', async () => {
  const ca = await certificateAuthority()
  const options = { ...(await ca.issue('mail.lantern.example')), login: 'gable:another' }
  const { outcome, logins } = await sendTo(options, { url: withLogin, ca: ca.ca })
  expect(outcome).toEqual({ kind: 'later', code: '535', answer: expect.not.stringContaining('pass/word') })
  expect(logins).toEqual([login])
})

test.for(['smtp:', 'smtps:'])(
  'over %s a certificate must match the host and have a trusted issuer',
  async (protocol) => {
    const ca = await certificateAuthority()
    const secure = protocol === 'smtps:'
    const tries = [
      { certificate: await ca.issue('mail.lantern.example'), trusted: ca.ca, kind: 'taken' },
      { certificate: await ca.issue('mail.evil.example'), trusted: ca.ca, kind: 'later' },
      { certificate: await ca.issue('mail.lantern.example'), trusted: undefined, kind: 'later' },
      { certificate: await selfSigned('mail.lantern.example'), trusted: ca.ca, kind: 'later' },
    ]
    for (const { certificate, trusted, kind } of tries) {
      const trust = trusted === undefined ? {} : { ca: trusted }
      const { outcome, arrived } = await sendTo(
        { ...certificate, secure },
        { url: `${protocol}//mail.lantern.example`, ...trust },
      )
      expect([outcome.kind, arrived.map((one) => one.secure)]).toEqual([kind, kind === 'taken' ? [true] : []])
    }
  },
)

/** What the server does with a connection, and after how many milliseconds Gable gives up on it. */
const stubborn: [string, number, (socket: Socket) => void][] = [
  ['says nothing', impatient.responseMs, () => {}],
  ['hangs up', impatient.responseMs, (socket) => socket.end()],
  ['greets and falls silent', impatient.responseMs, (socket) => socket.write('220 mail.lantern.example\r\n')],
  [
    'falls silent later',
    impatient.responseMs,
    (socket) => {
      socket.write('220 mail.lantern.example\r\n')
      socket.once('data', () => socket.write('250 mail.lantern.example\r\n'))
    },
  ],
  [
    'never comes to an end',
    impatient.handoverMs,
    (socket) => {
      socket.write('220 mail.lantern.example\r\n')
      socket.once('data', () => socket.write('250 mail.lantern.example\r\n'))
      const drip = setInterval(() => socket.write('250-and\r\n'), 50)
      socket.on('close', () => clearInterval(drip))
    },
  ],
  ['speaks something else', impatient.responseMs, (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n')],
  ['pours without a line', impatient.responseMs, (socket) => socket.write('2'.repeat(4_000_000))],
]

test.for(stubborn)('a server that %s is abandoned, and the email waits', async ([, boundMs, act]) => {
  await using server = createServer((socket) => {
    socket.on('error', () => {}).resume()
    act(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  const begun = performance.now()
  const outcome = await smtpSender({ url: 'smtp://mail.lantern.example', from, place, patience: impatient })(
    letter(),
  )
  expect(outcome).toMatchObject({ kind: 'later', code: expect.stringMatching(/^\w+$/) })
  expect(performance.now() - begun).toBeLessThan(boundMs + 1000)
})

test('if no server listens, the email waits', async () => {
  const outcome = await smtpSender({ url: 'smtp://127.0.0.1:1', from })(letter())
  expect(outcome).toMatchObject({ kind: 'later', code: 'ECONNREFUSED' })
})

const urls: [string, object][] = [
  [
    'smtp://mail.lantern.example',
    { host: 'mail.lantern.example', port: 587, secure: false, requireTLS: false, auth: undefined },
  ],
  ['smtp://a:b@mail.lantern.example:2525', { port: 2525, requireTLS: true, auth: { user: 'a', pass: 'b' } }],
  ['smtps://a:b@mail.lantern.example', { secure: true, requireTLS: false, auth: { user: 'a', pass: 'b' } }],
  ['smtp://a%40x:%2F%25@10.0.0.1', { requireTLS: true, auth: { user: 'a@x', pass: '/%' } }],
  ['smtp://a:b@127.0.0.1', { requireTLS: false }],
  ['smtp://a:b@localhost:25', { requireTLS: false }],
  ['smtp://a:b@[::1]:25', { host: '::1', requireTLS: false }],
  ['smtp://a:b@localhost.evil.example', { requireTLS: true }],
]

test.for(urls)('%s is parsed into the expected connection options', ([url, options]) => {
  expect(connectionOptions(url, 10)).toMatchObject({ ...options, tls: { rejectUnauthorized: true } })
})
