import { randomUUID } from 'node:crypto'

/** The parts of a taken email that later mails refer to. */
export interface TakenMail {
  account: string
  /** The envelope sender, which gets reports. */
  returnPath: string
  from: string
  to: string
  replyTo: string | null
  subject: string
  messageId: string | null
}

/** The name of the simulated mail server. */
const server = 'simulated-carrier.example'

/** An email to an account's address: a response to the last email from there, if there is one. */
export const responseMail = (
  from: string,
  to: string,
  body: string,
  last: Pick<TakenMail, 'subject' | 'messageId' | 'replyTo'> | undefined,
  isForged: boolean,
): string =>
  mail(
    {
      From: from,
      To: last?.replyTo ?? to,
      Subject: last === undefined ? 'An email' : `Re: ${last.subject.replace(/^re: /i, '')}`,
      ...(last?.messageId && { 'In-Reply-To': last.messageId, References: last.messageId }),
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Transfer-Encoding': '8bit',
    },
    [body],
    isForged ? 'fail' : 'pass',
  )

/** The automatic response of a person who is away (RFC 3834). */
export const awayMail = ({ to, returnPath, subject, messageId }: TakenMail): string =>
  mail(
    {
      'Return-Path': '<>',
      From: to,
      To: returnPath,
      Subject: `Out of office: ${subject}`,
      'Auto-Submitted': 'auto-replied',
      ...(messageId && { 'In-Reply-To': messageId }),
    },
    ['I am out of the office until Monday.'],
  )

/** A delivery failure report (RFC 3464). */
export const bounceMail = ({ to, returnPath, ...taken }: TakenMail, code: string, text: string): string =>
  report('delivery-status', returnPath, taken, [
    `Reporting-MTA: dns; ${server}`,
    '',
    `Final-Recipient: rfc822; ${to}`,
    'Action: failed',
    `Status: ${code}`,
    `Diagnostic-Code: smtp; 550 ${code} ${text}`,
  ])

/** A spam complaint (RFC 5965). */
export const complaintMail = ({ to: _, returnPath, ...taken }: TakenMail): string =>
  report('feedback-report', returnPath, taken, [
    'Feedback-Type: abuse',
    'User-Agent: simulated-carrier/1.0',
    'Version: 1',
    `Original-Mail-From: <${returnPath}>`,
  ])

function report(
  type: 'delivery-status' | 'feedback-report',
  to: string,
  { from, subject, messageId }: Pick<TakenMail, 'from' | 'subject' | 'messageId'>,
  fields: readonly string[],
): string {
  const boundary = `report-${randomUUID()}`
  const part = (contentType: string, lines: readonly string[]) => [
    `--${boundary}`,
    `Content-Type: ${contentType}`,
    '',
    ...lines,
  ]
  return mail(
    {
      'Return-Path': '<>',
      From: `Mail Delivery System <MAILER-DAEMON@${server}>`,
      To: to,
      Subject: 'A report of your email',
      'Auto-Submitted': 'auto-replied',
      'MIME-Version': '1.0',
      'Content-Type': `multipart/report; report-type=${type}; boundary="${boundary}"`,
    },
    [
      ...part('text/plain; charset=utf-8', ['This is a report of an email that you sent.']),
      ...part(`message/${type}`, fields),
      ...part('text/rfc822-headers', [
        `Return-Path: <${to}>`,
        `From: ${from}`,
        `Subject: ${oneLine(subject)}`,
        `Message-ID: ${messageId ?? ''}`,
      ]),
      `--${boundary}--`,
    ],
  )
}

/** `dmarc`: what the server found out about the author. */
function mail(
  headers: Record<string, string>,
  lines: readonly string[],
  dmarc: 'pass' | 'fail' = 'pass',
): string {
  const all = {
    'Authentication-Results': `${server}; dmarc=${dmarc}`,
    'Message-ID': `<${randomUUID()}@${server}>`,
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${oneLine(value)}`)
  return [...head, '', ...lines].join('\r\n').replaceAll(/(?<!\r)\n/g, '\r\n')
}

const oneLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ')
