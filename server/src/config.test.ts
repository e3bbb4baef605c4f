import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const from = 'gable@brokerage.example'

const servers = [
  'smtp://mail.lantern.example',
  'smtp://mail.lantern.example:2525/',
  'smtps://name:word@mail.lantern.example',
  'smtp://na%40me:w%2Ford@127.0.0.1:25',
  'smtp://[::1]:25',
]

test.for(servers)('SMTP_URL=%s with MAIL_FROM names a mail server', (url) => {
  expect(readConfig({ SMTP_URL: url, MAIL_FROM: from }).smtp).toEqual({ url, from })
})

test.for([{}, { MAIL_FROM: from }, { SMTP_URL: '', MAIL_FROM: '' }])(
  '%o configures no mail server',
  (env) => {
    expect(readConfig(env).smtp).toBeUndefined()
  },
)

const url = 'smtp://mail.lantern.example'

const faulty: [Record<string, string>, string[]][] = [
  [{ SMTP_URL: url }, ['MAIL_FROM is required']],
  [{ MAIL_FROM: 'Gable <gable@brokerage.example>' }, ['MAIL_FROM must be an email address']],
  [{ SMTP_URL: url, MAIL_FROM: `${from}\nBcc: eve@evil.example` }, ['MAIL_FROM must be an email address']],
  [{ SMTP_URL: 'hunter2' }, ['SMTP_URL must be', 'MAIL_FROM is required']],
  [
    { SMTP_URL: 'http://a:hunter2@mail.lantern.example', MAIL_FROM: 'x' },
    ['SMTP_URL must be', 'MAIL_FROM must'],
  ],
  ...[
    'smtp:mail.lantern.example',
    'smtp://',
    'smtp://a:hunter2@',
    'smtp://a:hunter2@mail lantern',
    'smtp://a:hunter2@mail.lantern.example:99999',
    'smtp://a:hunter2%zz@mail.lantern.example',
    'smtp://a:hunter2%ff@mail.lantern.example',
    'smtp://hunter2@mail.lantern.example',
    'smtp://:hunter2@mail.lantern.example',
    'smtp://a:hunter2@mail.lantern.example/path',
    'smtp://a:hunter2@mail.lantern.example?tls.rejectUnauthorized=false',
    'smtp://a:hunter2@mail.lantern.example#x',
    'smtp://a:hunter2@mail%20lantern',
  ].map((SMTP_URL): [Record<string, string>, string[]] => [
    { SMTP_URL, MAIL_FROM: from },
    ['SMTP_URL must be'],
  ]),
]

test.for(faulty)('%o is rejected, without the secret', ([env, faults]) => {
  let said = ''
  try {
    readConfig({ ...env, PORT: 'x' })
  } catch (error) {
    said = String(error)
  }
  for (const fault of [...faults, 'PORT must be']) expect(said).toContain(`\n  ${fault}`)
  expect(said).not.toContain('hunter2')
})
