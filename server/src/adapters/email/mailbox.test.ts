import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { startImap } from '@gable/sandbox/email/imap-server.ts'
import { type Mailboxes, createMailboxes } from '@gable/sandbox/email/mailboxes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { readImapMailbox } from './mailbox.ts'
import { mails } from './mails.fixtures.ts'

let now = new Date('2026-03-02T18:00:00Z')
let mailboxes: Mailboxes
const egress = createEgress({ allowHttp: 'none', allowPrivate: 'loopback' })
let imap: Awaited<ReturnType<typeof startImap>>

beforeAll(async () => {
  mailboxes = createMailboxes(() => now)
  imap = await startImap(mailboxes, { host: '127.0.0.1', port: 0 })
})
afterAll(() => imap[Symbol.asyncDispose]())

const server = (more = {}) => ({
  host: '127.0.0.1',
  port: imap.port,
  secure: false,
  mailbox: 'INBOX',
  authservIds: [],
  ...more,
})
const account = (name: string, secret = 'pass "word" \\ ñ') => ({ name, secrets: [secret] as const })
const impatient = { connectMs: 500, replyMs: 500 }
const text = (body: string) => `From: a@b.example\r\nTo: office@lantern.example\r\n\r\n${body}`

async function read(name: string, position: string | null, since = new Date('2026-03-01T00:00:00Z')) {
  const entries = await Array.fromAsync(readImapMailbox(egress, server(), account(name), { position, since }))
  return {
    bodies: entries.flatMap(({ mail }) => (mail !== null && 'message' in mail ? mail.message.body : [])),
    position: entries.at(-1)?.position ?? position,
    entries,
  }
}

test('reads mail after a position, in order of arrival, each once', async () => {
  mailboxes.deliver('order', text('one'))
  mailboxes.deliver('order', text('two'))
  const first = await read('order', null)
  expect(first.bodies).toEqual(['one', 'two'])
  expect(await read('order', first.position)).toMatchObject({ bodies: [], position: first.position })
  mailboxes.deliver('order', text('three'))
  const second = await read('order', first.position)
  expect(second.bodies).toEqual(['three'])
  expect((await read('order', second.position)).bodies).toEqual([])
})

test('a mailbox that was never read, or was recreated, is read from a given time', async () => {
  mailboxes.deliver('since', text('old'))
  now = new Date('2026-03-02T19:00:00Z')
  mailboxes.deliver('since', text('new'))
  const since = new Date('2026-03-02T18:30:00Z')
  const { bodies, position, entries } = await read('since', null, since)
  expect(bodies).toEqual(['new'])
  expect(entries[0]?.mail).toMatchObject({ message: { receivedAt: now } })
  expect((await read('since', '1:900', since)).bodies).toEqual(['new'])
  expect((await read('since', position, since)).bodies).toEqual([])
})

test('mail that arrives within the second of that time is read', async () => {
  now = new Date('2026-03-02T20:00:00.900Z')
  mailboxes.deliver('second', text('just after'))
  expect((await read('second', null, new Date('2026-03-02T20:00:00.400Z'))).bodies).toEqual(['just after'])
})

test('an empty mailbox has a position from which its first mail is read', async () => {
  const { bodies, position } = await read('empty', null)
  expect([bodies, position]).toEqual([[], expect.stringMatching(/^\d+:0$/)])
  mailboxes.deliver('empty', text('first'))
  expect((await read('empty', position)).bodies).toEqual(['first'])
})

test('an oversized mail is cut at the limit, and non-text bytes are read', async () => {
  mailboxes.deliver('large', text('x'.repeat(7_000_000)))
  const { bodies } = await read('large', null)
  expect(bodies[0]).toMatch(/^x{50000}\n\[The rest was cut off\.\]$/)
  mailboxes.deliver('bytes', mails.brokenCharset.toString('latin1'))
  expect((await read('bytes', null)).bodies).toHaveLength(1)
})

test('a reader that stops early resumes after the last mail it got', async () => {
  for (const body of ['one', 'two', 'three']) mailboxes.deliver('stop', text(body))
  let position: string | null = null
  for await (const entry of readImapMailbox(egress, server(), account('stop'), {
    position,
    since: new Date(0),
  })) {
    ;({ position } = entry)
    break
  }
  expect((await read('stop', position)).bodies).toEqual(['two', 'three'])
})

test.for([
  [
    'a login that is not accepted',
    { name: 'office', secrets: [''] },
    {},
    'does not accept the name and password',
  ],
  ['a folder that does not exist', account('office'), { mailbox: 'Leads' }, 'does not open the folder Leads'],
  ['no server', account('office'), { port: 1 }, /127\.0\.0\.1 cannot be read: .*ECONNREFUSED/],
  ['a server without TLS elsewhere', account('office'), { secure: true }, /cannot be read/],
] as const)('rejects %s without showing the password', async ([, who, where, message]) => {
  const secret = 'the-password'
  const login = { name: who.name, secrets: [who.secrets[0] && secret] as const }
  const reading = Array.fromAsync(
    readImapMailbox(egress, server(where), login, { position: null, since: now }, impatient),
  )
  const error = await reading.catch((error_: unknown) => error_)
  expect(error).toBeInstanceOf(Error)
  expect(String(error)).toMatch(message)
  expect(String(error)).not.toContain(secret)
})

test('a server that does not respond times out', async () => {
  await using silent = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const reading = readImapMailbox(
    egress,
    server({ port }),
    account('office'),
    { position: null, since: now },
    impatient,
  )
  await expect(Array.fromAsync(reading)).rejects.toThrow('cannot be read')
})
