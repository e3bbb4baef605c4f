import { issuesOfCondition } from '#kernel/conditions/condition-issues.ts'
import { maskText } from '#kernel/masking/mask-text.ts'
import { withoutTags } from '#kernel/text-of-html.ts'
import { inThread } from '#kernel/threads/in-thread.ts'
import { readResources } from '../../src/adapters/caldav/read-resources.ts'
import { retainAlarms } from '../../src/adapters/caldav/retain-alarms.ts'
import { callbackReader } from '../../src/adapters/callback-body.ts'
import { docusignSubject } from '../../src/adapters/docusign/callback-subject.ts'
import { endOfHtml } from '../../src/adapters/email/end-of-html.ts'
import { mailLimits } from '../../src/adapters/email/mail-limits.ts'
import { parseInThread } from '../../src/adapters/email/parse-in-thread.ts'
import { parseMail } from '../../src/adapters/email/parse-mail.ts'
import { withoutAddresses } from '../../src/adapters/email/smtp-outcome.ts'
import { withoutNumbers } from '../../src/adapters/replies.ts'
import { readPayload } from '../../src/adapters/whatsapp/payload.ts'
import { browserName } from '../../src/modules/account/browser-name.ts'
import { contactFields } from '../../src/modules/automations/definition/condition-fields.ts'
import { fillText, placeholderIssues } from '../../src/modules/automations/definition/placeholders.ts'
import { classifyInbound, ownWords } from '../../src/modules/compliance/public.ts'
import { toDialable, toEmailAddress } from '../../src/modules/contacts/public.ts'
import { takeWhole } from '../../src/modules/content/figures/whole-figures.ts'
import { consentBlockers } from '../../src/modules/leads/consent.ts'
import { findContent } from '../../src/modules/messages/content-of.ts'
import { saysOneClick } from '../../src/modules/messages/email/unsubscribe-routes.ts'
import { scanParts } from '../../src/modules/messages/scan-parts.ts'

const words = {
  'contact.first_name': null,
  'contact.last_name': null,
  'owner.name': null,
  'workspace.name': null,
}
const consent = {
  source_url: null,
  ip: null,
  form_snapshot: null,
  form_sha256: null,
  received_at: '2026-03-02T18:00:00Z',
  revoked_at: null,
}
const now = new Date('2026-03-02T18:00:00Z')
const kB = 1024
export const authservIds = ['mx.b.example']

export const mailOf = (head: string, body: string) =>
  Buffer.from(`From: a@b.example\r\nMessage-ID: <x@b.example>\r\n${head}\r\n\r\n${body}`)
const reportOf = (reason: string) =>
  mailOf(
    'Content-Type: multipart/report; boundary=b',
    `--b\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\nDiagnostic-Code: ${reason}\r\n--b--`,
  )
const uint32 = (...all: number[]) => Buffer.concat(all.map((one) => Buffer.from(Uint32Array.of(one).buffer)))
/** A mail as Outlook packs it, in RTF. */
function winmailOf(rtf: string) {
  const text = Buffer.concat([uint32(rtf.length + 12, rtf.length, 0x41_4c_45_4d, 0), Buffer.from(rtf)])
  const properties = Buffer.concat([uint32(1, 0x10_09_01_02, 1, text.length), text, Buffer.alloc(4)])
  const file = Buffer.concat([
    uint32(0x22_3e_9f_78),
    Buffer.of(1, 0, 1),
    uint32(0x00_06_90_03, properties.length),
    properties,
    Buffer.alloc(2),
  ])
  return mailOf(
    'Content-Type: application/ms-tnef\r\nContent-Transfer-Encoding: base64',
    file.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
  )
}
export const fill = (part: string, size: number) => part.repeat(Math.floor(size / part.length))
const whatsApp = (text: string) =>
  Buffer.from(
    JSON.stringify({
      entry: [
        {
          changes: [
            {
              field: 'messages',
              value: {
                metadata: { display_phone_number: '13125550188' },
                messages: [{ id: 'a', from: '13125550123', type: 'text', text: { body: text } }],
              },
            },
          ],
        },
      ],
    }),
  )
const ours = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
const theirs = (inside: string) =>
  `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n${inside}END:VEVENT\r\nEND:VCALENDAR\r\n`
const multistatus = (inside: string) =>
  `<d:multistatus xmlns:d="DAV:"><d:response><d:href>/a/</d:href>${inside}</d:response></d:multistatus>`

export type Reader = [name: string, size: number, read: (size: number) => unknown]

/** Readers of foreign text on the thread that serves, each with its worst text at a size that is allowed. */
export const here: Reader[] = [
  ['an SMTP server’s reply', 64 * kB, (size) => withoutAddresses('a'.repeat(size))],
  ['a provider’s reply', 512 * kB, (size) => withoutNumbers(fill('1-', size))],
  ['a User-Agent', 16_000, (size) => browserName(fill('Version/1 ', size))],
  ['placeholders', 20_000, (size) => fillText(`{{${' '.repeat(size)}`, words)],
  ['wrong placeholders', 20_000, (size) => placeholderIssues(`{{${' '.repeat(size)}`)],
  ['a link', 16_000, (size) => takeWhole(`http://${'.'.repeat(size)}x`)],
  ['half a link', 16_000, (size) => takeWhole(fill('a-a.', size))],
  [
    'a consent’s time',
    60_000,
    (size) => consentBlockers({ ...consent, captured_at: `T+${fill('T+', size)}` }, now),
  ],
  [
    'a one-click form',
    64 * kB,
    (size) => saysOneClick(Buffer.from(fill('name="List-Unsubscribe"\r\n', size))),
  ],
  ['the words of a text', 64 * kB, (size) => classifyInbound(fill('no kids ', size), { optedOut: false })],
  [
    'words about times',
    64 * kB,
    (size) => classifyInbound(fill('don’t call at ', size), { optedOut: false }),
  ],
  [
    'the words of an email',
    mailLimits.text,
    (size) => ownWords(fill('on a\non b\n', size), [fill('on a ', size)]),
  ],
  ['the end of HTML', 50_000, (size) => endOfHtml(fill('<style></style>', size))],
  ['the end of broken HTML', 50_000, (size) => endOfHtml(fill('<b a="\'>">', size))],
  ['a phone number', 256 * kB, (size) => toDialable(fill('1-', size))],
  ['an email address', 256 * kB, (size) => toEmailAddress(`${fill('a.', size)}@b`)],
  ['a text to mask', mailLimits.text, (size) => maskText(fill('​1', size))],
  ['a short message to scan', 2900, (size) => findContent({ body: fill('a ', size) })],
  ['a WhatsApp callback', 64 * kB, (size) => readPayload(whatsApp(fill('a ', size)))],
  [
    'an automation’s condition',
    64 * kB,
    (size) =>
      issuesOfCondition(
        contactFields,
        { any: Array.from({ length: size / 60 }, () => ({ field: 'stagee', operator: 'is', value: [1] })) },
        'condition',
      ).toArray(),
  ],
]

/** Readers that run in a thread: what they cost the thread that serves, and what they cost themselves. */
export const elsewhere: [...Reader, itself: (size: number) => unknown][] = [
  [
    'a delivery report',
    60_000,
    (size) => parseInThread(reportOf('a'.repeat(size)), null, authservIds),
    (size) => parseMail(reportOf('a'.repeat(size)), null, authservIds),
  ],
  ...(['{', "\\'41", String.raw`{\*\a`] as const).map((part): [...Reader, (size: number) => unknown] => [
    `a winmail.dat of ${part}`,
    mailLimits.html,
    (size) => parseInThread(winmailOf(fill(part, size)), null, authservIds),
    (size) => parseMail(winmailOf(fill(part, size)), null, authservIds),
  ]),
  ...(
    [
      ['a mail of the most lines', 'Subject: x', 'x \n', mailLimits.lines * 3],
      ['flowed text', 'Content-Type: text/plain; format=flowed', 'x \n', mailLimits.lines * 3],
      ['a mail of the most bytes', 'Content-Transfer-Encoding: base64', 'eHh4', mailLimits.bytes],
      ['the largest HTML of a mail', 'Content-Type: text/html', '<b>x</b>&amp;', mailLimits.html],
    ] as const
  ).map(([name, head, part, most]): [...Reader, (size: number) => unknown] => [
    name,
    most,
    (size) => parseInThread(mailOf(head, fill(part, size)), null, authservIds),
    (size) => parseMail(mailOf(head, fill(part, size)), null, authservIds),
  ]),
  ...(
    [
      ['results of a mail server', 'Authentication-Results: mx.b.example;', ' a=b;(()"(', 60_000],
      ['a header of addresses', 'To: ', 'a@b.example, ', 100 * kB],
    ] as const
  ).map(([name, head, part, most]): [...Reader, (size: number) => unknown] => [
    name,
    most,
    (size) => parseInThread(mailOf(head + fill(part, size), 'x'), null, authservIds),
    (size) => parseMail(mailOf(head + fill(part, size), 'x'), null, authservIds),
  ]),
  ...(['{},', '[', '"a",'] as const).map((part): [...Reader, (size: number) => unknown] => [
    `a large callback of ${part}`,
    512 * kB,
    (size) =>
      readSubject(Buffer.from(`[${fill(part, size)}`), ({ providerDocumentId }) => providerDocumentId),
    (size) => docusignSubject(Buffer.from(`[${fill(part, size)}`)),
  ]),
  [
    'a long email to scan',
    50_000,
    (size) => findContent({ body: fill('no kids ', size), body_html: fill('<p>no kids</p>', size) }),
    (size) => scanParts({ body: fill('no kids ', size), body_html: fill('<p>no kids</p>', size) }),
  ],
  [
    'the facts of a generated text',
    50_000,
    (size) => findContent({ body: 'It costs $3.' }, { facts: [fill('12:00 pm ', size)] }),
    (size) => scanParts({ body: 'It costs $3.' }, { facts: [fill('12:00 pm ', size)] }),
  ],
  [
    'the XML of a calendar server',
    512 * kB,
    (size) => read(multistatus(fill('<d:propstat><d:prop><d:a/></d:prop></d:propstat>', size))),
    (size) => readResources(multistatus(fill('<d:propstat><d:prop><d:a/></d:prop></d:propstat>', size))),
  ],
  [
    'the event of a calendar server',
    512 * kB,
    (size) => withAlarms(ours, theirs(fill('BEGIN:VALARM\r\nTRIGGER:-PT30M\r\nEND:VALARM\r\n', size))),
    (size) => retainAlarms(ours, theirs(fill('BEGIN:VALARM\r\nTRIGGER:-PT30M\r\nEND:VALARM\r\n', size))),
  ],
]

const readSubject = callbackReader(
  docusignSubject,
  import.meta.resolve('../../src/adapters/docusign/callback-subject.ts'),
)
const read = inThread<typeof readResources>(
  import.meta.resolve('../../src/adapters/caldav/read-resources.ts'),
  'readResources',
)
const withAlarms = inThread<typeof retainAlarms>(
  import.meta.resolve('../../src/adapters/caldav/retain-alarms.ts'),
  'retainAlarms',
)

/** All readers by themselves: what their work costs, wherever it is done. */
export const readers: Reader[] = [
  ...here,
  ...elsewhere.map(([name, size, , itself]): Reader => [name, size, itself]),
  ['a broken HTML mail', mailLimits.html, (size) => withoutTags('<'.repeat(size))],
]
