import { mail } from './mails.fixtures.ts'

const verp = 'office+b-token@lantern.example'

const report = (type: string, to: string, ...parts: (readonly string[])[]) =>
  mail(
    'Return-Path: <>',
    'From: MAILER-DAEMON@mx.example (Mail Delivery System)',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'Message-ID: <report@mx.example>',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type};`,
    '\tboundary="=_report"',
    '',
    ...parts.flatMap((part) => ['--=_report', ...part]),
    '--=_report--',
  )

const words = ['Content-Type: text/plain; charset=us-ascii', '', 'I could not deliver your message.']

const original = (returnPath: string) => [
  'Content-Type: message/rfc822',
  '',
  `Return-Path: <${returnPath}>`,
  'From: office@lantern.example',
  'To: sam@gone.example',
  'Subject: Your viewing',
  'Message-ID: <cmi8h5d1w0004p8k3j6q2z9a7@lantern.example>',
  '',
  'See you at 2 pm.',
]

const status = (...fields: string[]) => ['Content-Type: message/delivery-status', '', ...fields]

export const dsn = (to: string, code: string, action = 'failed') =>
  report('delivery-status', to, words, [
    ...status('Reporting-MTA: dns; mx.example', ''),
    'Final-Recipient: rfc822; someone-else@elsewhere.example',
    `Action: ${action}`,
    `Status: ${code}`,
    `Diagnostic-Code: smtp; 550 ${code} No`,
  ])

/** Shortened reports of mail servers and providers. */
export const reports = {
  postfix: report(
    'delivery-status',
    verp,
    words,
    [
      ...status(
        'Reporting-MTA: dns; mx.example',
        'X-Postfix-Queue-ID: 4A1',
        'Arrival-Date: Mon,  2 Mar 2026 18:00:00 +0000',
        '',
      ),
      'Final-Recipient: rfc822; sam@gone.example',
      'Original-Recipient: rfc822;sam@gone.example',
      'Action: failed',
      'Status: 5.1.1',
      'Remote-MTA: dns; mail.gone.example',
      'Diagnostic-Code: smtp; 550 5.1.1 <sam@gone.example>: Recipient address',
      '    rejected: User unknown',
    ],
    original(verp),
  ),
  exchange: report(
    'delivery-status',
    verp,
    ['Content-Type: text/html; charset=us-ascii', '', '<p>Your message to sam could not be delivered.</p>'],
    status(
      'Reporting-MTA: dns;DM6PR01.prod.outlook.example',
      'Received-From-MTA: dns;mail.lantern.example',
      '',
      'Final-Recipient: rfc822;sam@gone.example',
      'Action: failed',
      'Status: 5.1.10',
      'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    ),
    original(verp),
  ),
  gmail: report(
    'delivery-status',
    verp,
    [
      'Content-Type: multipart/related; boundary="inner"',
      '',
      '--inner',
      'Content-Type: text/plain; charset=UTF-8',
      '',
      'The recipient inbox is full.',
      '--inner--',
    ],
    status(
      'Reporting-MTA: dns; googlemail.example',
      '',
      'Final-Recipient: rfc822; sam@gmail.example',
      'Action: failed',
      'Status: 5.2.2',
      'Diagnostic-Code: smtp; 552-5.2.2 The recipient inbox is out of storage space.',
    ),
    original(verp),
  ),
  policy: report(
    'delivery-status',
    verp,
    words,
    status(
      'Reporting-MTA: dns; mx.example',
      '',
      'Action: failed',
      'Status: 5.7.26',
      'Diagnostic-Code: smtp; unauthenticated',
    ),
  ),
  ourAddress: report(
    'delivery-status',
    verp,
    words,
    status('Reporting-MTA: dns; mx.example', '', 'Action: failed', 'Status: 5.1.8'),
  ),
  delayed: report(
    'delivery-status',
    verp,
    words,
    status(
      'Reporting-MTA: dns; mx.example',
      '',
      'Action: delayed',
      'Status: 4.4.1',
      'Diagnostic-Code: X-Postfix; timed out',
    ),
  ),
  delivered: report(
    'delivery-status',
    verp,
    words,
    status('Reporting-MTA: dns; mx.example', '', 'Action: delivered', 'Status: 2.0.0'),
  ),
  relayed: report(
    'delivery-status',
    verp,
    words,
    status('Reporting-MTA: dns; mx.example', '', 'Action: relayed', 'Status: 2.0.0'),
  ),
  withoutToken: report(
    'delivery-status',
    'office@lantern.example',
    words,
    status(
      'Reporting-MTA: dns; mx.example',
      '',
      'Final-Recipient: rfc822; victim@b.example',
      'Action: failed',
      'Status: 5.1.1',
    ),
  ),
  complaint: report(
    'feedback-report',
    'abuse@lantern.example',
    words,
    [
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      'User-Agent: SomeGenerator/1.0',
      'Version: 1',
      `Original-Mail-From: <${verp}>`,
    ],
    original(verp),
  ),
  notSpam: report('feedback-report', 'abuse@lantern.example', words, [
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: not-spam',
    'Version: 1',
  ]),
}
