import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { rsaKeyOf, emailAccountOf, emailSettingsIssues } from './email-account.ts'

const pem = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: 'pkcs1', format: 'pem' })
const key = rsaKeyOf(String(pem(1024)))

test('settings define the mail servers, their default ports, and the DKIM key', () => {
  const settings = {
    smtp: 'smtps://mail.lantern.example',
    imap: 'imap://[::1]:1143/',
    dkim_domain: 'lantern.example',
    dkim_selector: 'gable',
  }
  expect(emailSettingsIssues(settings, true)).toEqual([])
  expect(emailAccountOf(settings, key)).toEqual({
    smtp: { host: 'mail.lantern.example', port: 465, secure: true },
    imap: { host: '::1', port: 1143, secure: false, mailbox: 'INBOX', authservIds: ['::1'] },
    dkim: {
      domain: 'lantern.example',
      selector: 'gable',
      privateKey: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/),
    },
  })
  expect(emailAccountOf({ smtp: 'smtp://localhost' }, undefined)).toEqual({
    smtp: { host: 'localhost', port: 587, secure: false },
    imap: null,
    dkim: null,
  })
  expect(emailAccountOf({}, undefined)).toBeUndefined()
})

const smtp = 'smtps://mail.lantern.example'

test.for([
  [
    'the host and its domain',
    { imap: 'imaps://imap.Lantern.example' },
    ['imap.lantern.example', 'lantern.example'],
  ],
  ['the host, if it is its domain', { imap: 'imaps://lantern.example' }, ['lantern.example']],
  ['the host alone, if it has no domain', { imap: 'imap://localhost' }, ['localhost']],
  [
    'the setting',
    { imap: 'imaps://a.example', authserv_id: 'MX1.b.example,mx2.b.example' },
    ['mx1.b.example', 'mx2.b.example'],
  ],
] as const)('the IDs of the server that checks received emails are %s', ([, settings, ids]) => {
  expect(emailSettingsIssues({ smtp, ...settings }, false)).toEqual([])
  expect(emailAccountOf({ smtp, ...settings }, undefined)?.imap?.authservIds).toEqual(ids)
})

const dkim = { dkim_domain: 'lantern.example', dkim_selector: 'gable' }

test.for<[string, Record<string, string>, boolean, string[]]>([
  ['nothing', {}, false, ['settings.smtp']],
  ['an unknown name', { smtp, host: 'a' }, false, ['settings.host']],
  ['a host alone', { smtp: 'mail.lantern.example' }, false, ['settings.smtp']],
  ['another protocol', { smtp: 'https://mail.lantern.example' }, false, ['settings.smtp']],
  ['the protocol of the other', { smtp: 'imaps://mail.lantern.example' }, false, ['settings.smtp']],
  ['a port out of range', { smtp: 'smtp://a:65536' }, false, ['settings.smtp']],
  ['a login, which is the account', { smtp: 'smtp://name:password@a' }, false, ['settings.smtp']],
  ['a path', { smtp, imap: 'imaps://a/b' }, false, ['settings.imap']],
  ['a mailbox of no server', { smtp, mailbox: 'INBOX' }, false, ['settings.mailbox']],
  ['an ID of no mail server', { smtp, authserv_id: 'a.example' }, false, ['settings.authserv_id']],
  [
    'an ID that is no name',
    { smtp, imap: 'imaps://a.example', authserv_id: 'a.example, b' },
    false,
    ['settings.authserv_id'],
  ],
  ['a domain without its key', { smtp, ...dkim }, false, ['dkim_key']],
  ['a key without a domain', { smtp }, true, ['dkim_key']],
  ['a domain without a selector', { smtp, dkim_domain: 'a.example' }, true, ['dkim_key']],
  [
    'a line break in a selector',
    { smtp, ...dkim, dkim_selector: 'a\r\nb' },
    true,
    ['settings.dkim_selector'],
  ],
])('settings with %s are invalid', ([, settings, hasKey, paths]) => {
  expect(emailSettingsIssues(settings, hasKey).map(({ path }) => path)).toEqual(paths)
})

test('a DKIM key must be an RSA key of at least 1024 bits', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  expect(rsaKeyOf(String(pem(512)))).toBeUndefined()
  expect(rsaKeyOf(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))).toBeUndefined()
  expect(rsaKeyOf('no key')).toBeUndefined()
  expect(key).toMatch(/^[\w+/=]+$/)
})
