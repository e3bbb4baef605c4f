import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { textOfHtml } from '#kernel/text-of-html.ts'
import { mailServer } from '#test/mail/mail-server.ts'
import type { OutgoingMessage } from '../../modules/messages/ports.ts'
import { composeMail } from './compose-mail.ts'
import { emailCarrier } from './email-carrier.ts'
import { email, parts } from './email.fixtures.ts'

const compose = (changes: Partial<OutgoingMessage> = {}, more: Partial<typeof parts> = {}) =>
  composeMail({ ...email, ...changes }, { ...parts, ...more }, null)

const read = async (mail: Buffer) => {
  const parsed = await PostalMime.parse(mail)
  const header = (name: string) => parsed.headers.filter(({ key }) => key === name).map(({ value }) => value)
  return { ...parsed, header }
}

const url = parts.marketing?.unsubscribeUrl ?? ''

test('an email has its content, addresses, and thread headers', async () => {
  const mail = await read(await compose())
  expect(mail).toMatchObject({
    from: { name: 'Lantern & Oak', address: 'office@lantern.example' },
    to: [{ address: 'sam@reyes.example' }],
    replyTo: [{ address: 'office+r-x@lantern.example' }],
    subject: 'Your viewing on Saturday',
    date: '2026-10-06T18:00:00.000Z',
    messageId: '<cmi8h5d1w0004p8k3j6q2z9a7@lantern.example>',
    inReplyTo: '<second@reyes.example>',
    references: '<first@reyes.example> <second@reyes.example>',
  })
  expect(mail.text).toContain('See you at 2 pm.\n.\nBring an umbrella, señor.')
  expect(mail.html).toContain('<p>See you at 2 pm.</p>')
})

test('marketing has one-click headers, and a postal address and unsubscribe link in every part', async () => {
  const mail = await read(await compose())
  expect(mail.header('list-unsubscribe')).toEqual([`<${url}>`])
  expect(mail.header('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click'])
  expect(mail.text).toMatch(/\n-- \nLantern & Oak, 48 Alder Court.*\nUnsubscribe: https:/)
  expect(mail.text).toContain(url)
  expect(mail.html).toMatch(/Lantern &#38; Oak, 48 Alder Court.*Unsubscribe<\/a><\/p><\/body>/)
  expect(mail.html).toContain(`href="${url}"`)
})

test('an email of HTML alone has its text, too, with the footer', async () => {
  const { text } = await read(await compose({ body: null }))
  expect(text).toMatch(/^See you at 2 pm\.[^]*\n-- \nLantern & Oak, 48 Alder Court.*\nUnsubscribe: https:/)
})

test('the footer of an HTML that hides what follows is shown', async () => {
  for (const hiding of ['<!-- ', '<style>', '<div style="display:none">', '<p title="', '<!-- </body>'])
    expect(textOfHtml((await read(await compose({ bodyHtml: `<p>Hi</p>${hiding}` }))).html ?? '')).toContain(
      url,
    )
  const { html } = await read(await compose({ bodyHtml: '<style>p, a { display: none }</style><p>Hi</p>' }))
  expect(html).toMatch(
    /<\/p><p style="[^"]*display:block!important">.*<a href="[^"]*" style="[^"]*display:inline!important">/,
  )
})

test('other emails have neither a footer nor one-click headers', async () => {
  const mail = await read(await compose({}, { marketing: null }))
  expect(mail.header('list-unsubscribe')).toEqual([])
  expect(mail.header('list-unsubscribe-post')).toEqual([])
  expect(mail.text).not.toContain('Alder')
  expect(mail.html).toBe(`${email.bodyHtml}\n`)
})

test.for([
  ['text', { bodyHtml: null }, ['text/plain']],
  ['HTML', { body: null }, ['multipart/alternative', 'text/plain', 'text/html']],
  ['both', {}, ['multipart/alternative', 'text/plain', 'text/html']],
] as const)('an email of %s has the matching parts', async ([, changes, types]) => {
  const raw = String(await compose(changes))
  expect([...raw.matchAll(/^Content-Type: ([\w/]+)/gm)].map(([, type]) => type)).toEqual(types)
})

test('an invitation is both an alternative part and an attached file', async () => {
  const calendar = 'BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\nEND:VCALENDAR\r\n'
  const raw = await compose({ bodyHtml: null }, { calendar })
  expect(String(raw)).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=CANCEL/i)
  const { attachments } = await read(raw)
  expect(attachments.map(({ mimeType, filename }) => [mimeType, filename])).toContainEqual([
    'application/ics',
    'invite.ics',
  ])
  expect(raw).toEqual(await compose({ bodyHtml: null }, { calendar }))
})

test('an email has the same bytes at each attempt', async () => {
  const again = compose({ attemptId: 'another' }, { bounceTo: 'office+b-y@lantern.example' })
  expect(await again).toEqual(await compose())
})

test.for([
  ['a subject', { subject: 'Hi\r\nBcc: eve@evil.example' }, {}],
  ['a name', {}, { fromName: 'Eve\r\nBcc: eve@evil.example' }],
  ['a name with a quote', {}, { fromName: 'Eve" <eve@evil.example>, "' }],
  ['a Message-ID', {}, { references: ['<a@b>\r\nBcc: eve@evil.example'] }],
  ['an address', { to: 'sam@reyes.example\r\nBcc: eve@evil.example' }, {}],
  ['a body', { body: '\r\n.\r\nMAIL FROM:<eve@evil.example>' }, {}],
  ['a lone surrogate', { subject: '\ud800', body: '\ud800' }, { fromName: '\udfff' }],
] as const)('%s cannot add a header or a recipient', async ([, changes, more]) => {
  const mail = await read(await compose(changes, more))
  expect(mail.header('bcc')).toEqual([])
  expect(mail.from?.address).toBe('office@lantern.example')
  const usual = await read(await compose())
  expect(mail.headers.map(({ key }) => key)).toEqual(usual.headers.map(({ key }) => key))
})

test('no line is longer than SMTP allows', async () => {
  const mail = await compose({
    subject: 'x'.repeat(255),
    body: 'y'.repeat(5_000),
    bodyHtml: 'é'.repeat(5_000),
  })
  for (const line of String(mail).split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
  expect(String(mail).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
})

test('the DKIM signature verifies on arrival and covers the one-click headers', async () => {
  await using server = await mailServer({ login: 'office:password' })
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const carrier = emailCarrier({
    egress: createEgress({ allowHttp: 'none', allowPrivate: 'loopback' }),
    open: () => email,
    clock: systemClock,
    simulatedUrl: () => '',
  })
  await carrier.send(
    {
      id: '',
      workspaceId: '',
      provider: 'email',
      name: 'office',
      settings: {},
      email: {
        smtp: { host: '127.0.0.1', port: server.port, secure: false },
        imap: null,
        dkim: { domain: 'lantern.example', selector: 'gable', privateKey: pem },
      },
      simulated: false,
      secrets: ['password'],
    },
    { validUntil: Infinity } as never,
  )
  const raw = server.arrived[0]?.raw ?? ''
  const { headers, bodyHash, tags, signedText } = dkimOf(raw)
  expect(tags).toMatchObject({
    v: '1',
    a: 'rsa-sha256',
    c: 'relaxed/relaxed',
    d: 'lantern.example',
    s: 'gable',
  })
  expect(tags['h']?.split(':')).toEqual(
    expect.arrayContaining(['from', 'to', 'subject', 'date', 'list-unsubscribe', 'list-unsubscribe-post']),
  )
  expect(tags['bh']).toBe(bodyHash)
  const signature = Buffer.from(tags['b'] ?? '', 'base64')
  const verifies = (text: string) =>
    createVerify('sha256').update(text, 'latin1').verify(publicKey, signature)
  expect(verifies(signedText)).toBe(true)
  expect(verifies(signedText.replace('One-Click', 'Two-Click'))).toBe(false)
  expect(headers.length).toBeGreaterThan(5)
})

/** The DKIM signature data as a verifier computes it (RFC 6376, 3.4.2, 3.4.4, and 3.7). */
function dkimOf(raw: string) {
  const end = raw.indexOf('\r\n\r\n')
  const headers = raw.slice(0, end).split(/\r\n(?![ \t])/)
  const relaxed = (header: string) => {
    const [name = '', ...rest] = header.replaceAll('\r\n', '').split(':')
    return `${name.trim().toLowerCase()}:${rest
      .join(':')
      .replaceAll(/[ \t]+/g, ' ')
      .trim()}`
  }
  const own = headers.find((one) => /^dkim-signature:/i.test(one)) ?? ''
  const tags = Object.fromEntries(
    own
      .slice(own.indexOf(':') + 1)
      .split(';')
      .map((tag) => [
        tag.slice(0, tag.indexOf('=')).trim(),
        tag.slice(tag.indexOf('=') + 1).replaceAll(/\s/g, ''),
      ]),
  ) as Record<string, string>
  const named = (tags['h'] ?? '')
    .split(':')
    .map((name) => headers.findLast((one) => one.toLowerCase().startsWith(`${name}:`)) ?? '')
  const body = raw
    .slice(end + 4)
    .split('\r\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''))
    .join('\r\n')
    .replace(/(?:\r\n)*$/, '\r\n')
  return {
    headers,
    tags,
    bodyHash: createHash('sha256').update(Buffer.from(body, 'utf8')).digest('base64'),
    signedText: [...named.map(relaxed), relaxed(own).replace(/b=[^;]*$/, 'b=')].join('\r\n'),
  }
}
