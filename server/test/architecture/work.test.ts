import { expect, test } from 'vitest'
import { textOfHtml, withoutTags } from '#kernel/text-of-html.ts'
import { mailLimits } from '../../src/adapters/email/mail-limits.ts'
import { parseMail } from '../../src/adapters/email/parse-mail.ts'
import { withoutAddresses } from '../../src/adapters/email/smtp-outcome.ts'
import { browserName } from '../../src/modules/account/browser-name.ts'
import { fillText, placeholderIssues } from '../../src/modules/automations/definition/placeholders.ts'
import { takeWhole } from '../../src/modules/content/figures/whole-figures.ts'
import { consentBlockers } from '../../src/modules/leads/consent.ts'
import { saysOneClick } from '../../src/modules/messages/email/unsubscribe-routes.ts'

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

const parsed = (head: string, body: string) =>
  parseMail(Buffer.from(`From: a@b.example\r\nMessage-ID: <x@b.example>\r\n${head}\r\n\r\n${body}`), null, [
    'mx.b.example',
  ])
const report = (reason: string) =>
  parsed(
    'Content-Type: multipart/report; boundary=b',
    `--b\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\nDiagnostic-Code: ${reason}\r\n--b--`,
  )

type Reader = [name: string, size: number, read: (size: number) => unknown]

/** The worst text for each reader of foreign text, at a size that is allowed. */
const readers: Reader[] = [
  ['an SMTP server’s reply', 64 * 1024, (size) => withoutAddresses('a'.repeat(size))],
  ['a delivery report', 60_000, (size) => report('a'.repeat(size))],
  [
    'results of a mail server',
    60_000,
    (size) => parsed(`Authentication-Results: mx.b.example;${' a=b;(()"('.repeat(size / 12)}`, ''),
  ],
  ['a broken HTML mail', mailLimits.html, (size) => withoutTags('<'.repeat(size))],
  ['tags of HTML', mailLimits.html, (size) => textOfHtml('<p>'.repeat(size / 3))],
  ['a User-Agent', 16_000, (size) => browserName('Version/1 '.repeat(size / 10))],
  ['placeholders', 20_000, (size) => fillText(`{{${' '.repeat(size)}`, words)],
  ['wrong placeholders', 20_000, (size) => placeholderIssues(`{{${' '.repeat(size)}`)],
  ['a link', 16_000, (size) => takeWhole(`http://${'.'.repeat(size)}x`)],
  ['half a link', 16_000, (size) => takeWhole('a-a.'.repeat(size / 4))],
  [
    'a consent’s time',
    60_000,
    (size) => consentBlockers({ ...consent, captured_at: `T+${'T+'.repeat(size / 2)}` }, now),
  ],
  [
    'a one-click form',
    64 * 1024,
    (size) => saysOneClick(Buffer.from('name="List-Unsubscribe"\r\n'.repeat(size / 25))),
  ],
]

/** The least time of several rounds on this thread, in milliseconds: what else the machine does does not count. */
async function cpuOf(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5 && least > 1; round++) {
    const begin = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(begin)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

test.for(readers)('reads in linear time: %s', async ([, size, read]) => {
  const half = await cpuOf(() => read(size / 2))
  const whole = await cpuOf(() => read(size))
  // A core that others use, too, takes up to three times as long as the 50 ms that an input may take. Quadratic work would take four
  // times as long for twice the text.
  expect(whole).toBeLessThan(150)
  if (whole > 20) expect(whole).toBeLessThan(3 * half)
})

test.for([
  ['empty lines', 'Subject: x', '\n'],
  ['lines of flowed text', 'Content-Type: text/plain; format=flowed', 'x \n'],
] as const)('reads no more of a mail than its first lines: %s', async ([, head, line]) => {
  const whole = await cpuOf(() => parsed(head, line.repeat(mailLimits.bytes / line.length)))
  const allowed = await cpuOf(() => parsed(head, line.repeat(mailLimits.lines)))
  expect(whole).toBeLessThan(3 * allowed + 50)
})
