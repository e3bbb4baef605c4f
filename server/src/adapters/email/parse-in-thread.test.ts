import { expect, test } from 'vitest'
import { classifyInbound, ownWords } from '../../modules/compliance/public.ts'
import { mailLimits } from './mail-limits.ts'
import { mail, mails } from './mails.fixtures.ts'
import { parseInThread } from './parse-in-thread.ts'
import { parseMail } from './parse-mail.ts'
import { reports } from './reports.fixtures.ts'

const at = new Date('2026-03-02T18:00:00Z')
/** As if the mail took longer to read than it may. */
const noTime = { cpuMs: 2000, wallMs: 0 }

const messageOf = async (reading: ReturnType<typeof parseInThread>) => {
  const read = await reading
  if (!('message' in read)) throw new Error('A report.')
  return read.message
}

test.for([...Object.entries(mails), ...Object.entries(reports)])(
  'a thread reads what parsing finds: %s',
  async ([, raw]) => {
    expect(await parseInThread(raw, at, [])).toEqual(await parseMail(raw, at, []))
  },
)

const head = [
  'From: a@b.example',
  'To: office@lantern.example',
  'Message-ID: <x@b.example>',
  'Subject: Hello',
]
const parts = (...all: string[]) => [
  ...head,
  'Content-Type: multipart/mixed; boundary=b',
  '',
  ...all.flatMap((part) => ['--b', part]),
]
const plain = (text: string) => `Content-Type: text/plain\r\n\r\n${text}`
const bulk = `Content-Type: application/pdf\r\n\r\n${'JVBERi0x\r\n'.repeat(15_000)}`
const nested = (depth: number): string =>
  `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${depth === 0 ? plain('deep') : nested(depth - 1)}`

const beginnings: [what: string, raw: Buffer][] = [
  ['a text', mail(...head, '', 'STOP', '', ...Array.from({ length: 30_000 }, () => 'Hello'))],
  ['a part', mail(...parts(plain('STOP'), bulk))],
  ['base64', mail(...head, 'Content-Transfer-Encoding: base64', '', 'U1RPUA==')],
  ['quoted-printable', mail(...head, 'Content-Transfer-Encoding: quoted-printable', '', '=53TOP')],
  ['UTF-16', mail(...head, 'Content-Type: text/plain; charset=utf-16le', '', 'S\0T\0O\0P\0')],
  ['HTML', mail(...head, 'Content-Type: text/html', '', `<p>STOP</p>${'<p>Hello</p>'.repeat(10_000)}`)],
  [
    'headers of 200 kB',
    mail(...head, ...Array.from({ length: 10_000 }, () => 'X-Trace: 1234567'), '', 'STOP'),
  ],
  ['a text before too many nested parts', mail(...parts(plain('STOP\r\n'.padEnd(3000, '.')), nested(40)))],
]

test.for(beginnings)('a STOP at the beginning of a mail that takes too long counts: %s', async ([, raw]) => {
  const message = await messageOf(parseInThread(raw, at, [], noTime))
  expect(message).toMatchObject({
    providerMessageId: '<x@b.example>',
    from: 'a@b.example',
    to: 'office@lantern.example',
    subject: 'Hello',
  })
  expect(message.body).toContain('\n\n[The rest of this email could not be read.]')
  expect(classifyInbound(message.body, { optedOut: false }).action).toBe('opt_out')
})

test('of a mail that takes too long, 2 kB of its text are read', async () => {
  const { body } = await messageOf(parseInThread(mail(...head, '', 'a '.repeat(100_000)), at, [], noTime))
  expect(body).toBe(`${'a '.repeat(1000).trim()}\n\n[The rest of this email could not be read.]`)
})

test('a STOP in the first part of a mail with too many nested parts counts', async () => {
  const { body } = await messageOf(parseInThread(mail(...parts(plain('STOP'), nested(40))), at, []))
  expect(body).toBe('STOP\n\n[The rest of this email could not be read.]')
})

test('a mail without readable text has no words of its author', () => {
  expect(ownWords('[The text of this email could not be read.]')).toBe('')
})

test('a mail whose beginning takes too long is recorded as unreadable, always with the same ID', async () => {
  const raw = mail(...head, '', 'STOP')
  const message = await messageOf(parseInThread(raw, at, [], noTime, noTime))
  expect(message).toMatchObject({
    from: null,
    subject: null,
    body: '[The text of this email could not be read.]',
  })
  expect(await messageOf(parseInThread(raw, at, [], noTime, noTime))).toEqual(message)
})

test('a report that takes too long is still a report', async () => {
  const raw = reports.postfix
  expect(await parseInThread(raw, at, [], noTime)).toEqual(await parseMail(raw, at, []))
})

test.for([
  ['bytes', 6_000_000, 'over 3.7 MB'],
  ['lines', 3_000_000, 'over 1.1 MB'],
  ['neither', 300_000, '293 KB'],
] as const)(
  'an attachment that is cut off by %s has no smaller size than it has',
  async ([, size, words]) => {
    const base64 = Buffer.alloc(size, 'x').toString('base64')
    const lines = words.startsWith('over 3') ? [base64] : (base64.match(/.{76}/g) ?? [])
    const attachment = [
      'Content-Type: application/pdf; name=plan.pdf',
      'Content-Disposition: attachment',
      'Content-Transfer-Encoding: base64',
      '',
      ...lines,
    ].join('\r\n')
    const { body } = await messageOf(parseInThread(mail(...parts(plain('The plan'), attachment)), at, []))
    expect(body).toBe(`The plan\n\n[Attachment: plan.pdf, ${words}]`)
  },
)

test('the largest mails fit into the memory of a thread', async () => {
  const line = `${'x'.repeat(Math.floor(mailLimits.bytes / mailLimits.lines) - 2)}`
  for (const raw of [
    mail(...head, '', ...Array.from({ length: mailLimits.lines }, () => line)),
    mail(...head, '', 'x'.repeat(mailLimits.bytes)),
    mail(...head, 'Content-Type: text/html', '', '<a>&amp;'.repeat(mailLimits.bytes / 8)),
    mail(...parts(...Array.from({ length: mailLimits.partLines - 1 }, () => plain('x'.repeat(2500))))),
  ])
    expect((await messageOf(parseInThread(raw, at, []))).body).not.toContain('could not be read')
})
