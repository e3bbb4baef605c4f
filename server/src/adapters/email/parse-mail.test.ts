import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import type { InboundMessage, MailReport } from '../../modules/messages/ports.ts'
import { mailLimits } from './mail-limits.ts'
import { mail, mails } from './mails.fixtures.ts'
import { parseMail } from './parse-mail.ts'
import { dsn, reports } from './reports.fixtures.ts'

const at = new Date('2026-03-02T18:00:00Z')

const messageOf = async (raw: Buffer): Promise<InboundMessage> => {
  const read = await parseMail(raw, at, [])
  if (!('message' in read)) throw new Error('A report.')
  return read.message
}

describe('reads a mail as a message:', () => {
  const office = { from: 'a@b.example', to: 'office@lantern.example', body: expect.any(String) }
  const reply = '<cmi8h5d1w0004p8k3j6q2z9a7@lantern.example>'
  test.for<[keyof typeof mails, object]>([
    [
      'gmailReply',
      {
        providerMessageId: '<CAF1x@mail.gmail.example>',
        from: 'sam@gmail.example',
        name: 'Sam Reyes',
        subject: 'Re: Your viewing on Saturday',
        body: expect.stringMatching(/^Café at 2 works\.\n\nOn Mon, .* wrote:\n\n> See you at 2 pm\?$/),
        bodyHtml: null,
        receivedAt: at,
        email: {
          recipients: ['office@lantern.example', 'office+r-token@lantern.example'],
          references: [reply],
          automatic: false,
        },
      },
    ],
    [
      'outlookReply',
      {
        from: 'Sam@Outlook.example',
        name: 'Reyes, Sam',
        body: 'That’s fine – see you.\n\nMap [https://maps.example/?q=1]',
        email: { references: [reply, '<first@lantern.example>'], automatic: false },
      },
    ],
    ['outOfOffice', { email: { recipients: ['office+b-token@lantern.example'], automatic: true } }],
    ['mailingList', { email: { automatic: true } }],
    ['emptyReturnPath', { email: { automatic: true } }],
    ['htmlOnly', { ...office, body: 'Hello\n\nOne\ntwo & three\n\n * first\n * second' }],
    ['base64', { name: 'María', subject: 'Mañana', body: 'Mañana a las dos. 🏡' }],
    ['brokenCharset', { body: expect.stringContaining('Nul') }],
    ['noMessageId', { ...office, providerMessageId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }],
    ['noHeaders', { from: null, to: '', subject: null, body: 'Only a text.' }],
    ['twoAuthors', { from: null, body: 'stop' }],
    ['twoFromHeaders', { from: null, body: 'stop' }],
    [
      'attachments',
      {
        body: 'The plan is attached.\n\n[Attachment: plan.pdf, 3 KB]',
        email: { recipients: ['x@y.example', 'office@lantern.example', 'z@y.example'] },
      },
    ],
    ['hugeNesting', { ...office, body: '[The text of this email could not be read.]' }],
  ])('%s', async ([name, expected]) => {
    expect(await messageOf(mails[name])).toMatchObject({ channel: 'email', ...expected })
  })

  test('the same bytes always get the same ID, and other bytes another', async () => {
    const idOf = async (text: string) =>
      (await messageOf(mail('From: a@b.example', '', text))).providerMessageId
    expect(await idOf('one')).toBe(await idOf('one'))
    expect(await idOf('one')).not.toBe(await idOf('two'))
  })
})

describe('reads a report:', () => {
  const verp = expect.arrayContaining(['office+b-token@lantern.example'])
  const failure = (code: string, carrierCode: string, message = expect.any(String)) => ({
    failure: { code, carrierCode, message },
  })
  test.for<[keyof typeof reports, object | undefined]>([
    [
      'postfix',
      {
        kind: 'bounced',
        ...failure(
          'recipient_invalid',
          '5.1.1',
          '550 5.1.1 <(address)>: Recipient address rejected: User unknown',
        ),
        addresses: verp,
      },
    ],
    ['exchange', { kind: 'bounced', ...failure('recipient_invalid', '5.1.10'), addresses: verp }],
    ['gmail', { kind: 'bounced', ...failure('recipient_unreachable', '5.2.2'), addresses: verp }],
    ['policy', { kind: 'bounced', ...failure('filtered', '5.7.26', 'unauthenticated') }],
    ['ourAddress', { kind: 'bounced', ...failure('rejected', '5.1.8') }],
    ['delayed', { kind: 'delayed', ...failure('recipient_unreachable', '4.4.1') }],
    ['delivered', { kind: 'delivered', failure: null }],
    ['relayed', undefined],
    ['withoutToken', { kind: 'bounced', addresses: ['office@lantern.example'] }],
    ['complaint', { kind: 'complaint', failure: null, addresses: verp }],
    ['notSpam', undefined],
  ])('%s', async ([name, expected]) => {
    const read = await parseMail(reports[name], at, [])
    if (expected === undefined) expect(read).toMatchObject({ message: { email: { automatic: true } } })
    else expect(read).toMatchObject({ report: { at, ...expected } })
  })

  test('the address comes from the To header, whatever recipient the report names', async () => {
    const { report } = (await parseMail(dsn('office+b-token@lantern.example', '5.1.1'), at, [])) as {
      report: MailReport
    }
    expect(report.addresses).toEqual(['office+b-token@lantern.example'])
  })
})

describe('stays within limits:', () => {
  const head = ['From: a@b.example', 'To: office@lantern.example', 'Message-ID: <x@b.example>']
  const html = (text: string) => mail(...head, 'Content-Type: text/html', '', text)
  const boundary = 'Content-Type: multipart/mixed; boundary=b'
  const nested = (depth: number): string[] =>
    depth === 0 ? ['', 'x'] : ['Content-Type: message/rfc822', '', ...nested(depth - 1)]
  test.for<[string, Buffer]>([
    ['a text of 8 MB', mail(...head, '', 'x'.repeat(8_000_000))],
    ['8 MB of base64', mail(...head, 'Content-Transfer-Encoding: base64', '', 'eHh4'.repeat(2_000_000))],
    ['1,000,000 parts', mail(...head, boundary, '', '--b\r\n\r\n'.repeat(1_000_000))],
    [
      '100,000 header lines',
      mail(...head, ...Array.from({ length: 100_000 }, (_, i) => `X-${i}: y`), '', 'Text'),
    ],
    ['50,000 recipients', mail(`To: ${'a@b.example, '.repeat(50_000)}`, ...head, '', 'Text')],
    ['one address of 200 KB', mail(`From: ${'a'.repeat(200_000)}@b.example`, '', 'Text')],
    ['20,000 elements within each other', html('<div>'.repeat(20_000) + 'x')],
    ['100,000 open tags', html('<a href="'.repeat(100_000))],
    ['a table of 20,000 cells', html(`<table>${'<tr><td>x'.repeat(20_000)}</table>`)],
    ['1,000 mails in each other', mail(...head, ...nested(1000))],
  ])('%s', async ([, raw]) => {
    const message = await messageOf(raw)
    expect(message.body.length).toBeLessThan(mailLimits.text + 20 * 200)
  })

  test('any bytes are a message or a report, never an error', async () => {
    const all = [...Object.values(mails), ...Object.values(reports)].filter(({ length }) => length < 5000)
    const changed = fc
      .tuple(
        fc.constantFrom(...all),
        fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 12 })), { maxLength: 12 }),
      )
      .map(([raw, changes]) =>
        changes.reduce<Buffer>((bytes, [place, inserted]) => {
          const cut = place % (bytes.length + 1)
          return Buffer.concat([bytes.subarray(0, cut), inserted, bytes.subarray(cut + (place % 5))])
        }, raw),
      )
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, fc.uint8Array({ maxLength: 2000 })), async (raw) => {
        const read = await parseMail(raw, null, [])
        if ('report' in read) return
        const { body, subject, providerMessageId, email } = read.message
        expect(body.length).toBeLessThan(mailLimits.text + 20 * 200)
        expect(subject?.length ?? 0).toBeLessThanOrEqual(mailLimits.subject)
        expect(providerMessageId.length).toBeLessThanOrEqual(255)
        expect(orNotFound(email).recipients.length).toBeLessThanOrEqual(mailLimits.recipients)
      }),
      { numRuns: 1500 },
    )
  })
})
