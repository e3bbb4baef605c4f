import { generateKeyPairSync } from 'node:crypto'
import { rsaKeyOf } from '@gable/server/src/modules/senders/accounts/email-account.ts'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { bounds } from './bounds.ts'
import { canVerifyDkim, verifyDkim } from './dkim.ts'
import { type Scene, openScene, sam } from './scene.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`

let scene: Scene
beforeAll(async () => {
  scene = await openScene(
    'sending',
    ({ ports }) => ({
      smtp: `smtp://localhost:${ports.submission}`,
      imap: `imap://localhost:${ports.imap}`,
      dkim_domain: 'lantern.example',
      dkim_selector: 'gable',
    }),
    { dkim_key: rsaKeyOf(pem) ?? '' },
  )
})
afterAll(() => scene[Symbol.asyncDispose]())
afterEach(() => void (scene.servers.policy.decide = () => undefined))

/** Mails of the person with the Message-ID of this message. */
const arrived = async (id: string) =>
  (await scene.mailsOf(sam)).filter((raw) => raw.includes(`\r\nMessage-ID: <${id}@lantern.example>\r\n`))

/** Without what mail servers write on top of it. */
const asSent = (raw: string) => raw.slice(raw.indexOf('\r\nDKIM-Signature:') + 2)

const headersOf = (raw: string) =>
  raw
    .slice(0, raw.indexOf('\r\n\r\n'))
    .replaceAll(/\r\n(?=[ \t])/g, '')
    .split('\r\n')

const text = 'See you at 2 pm, señor. 🏡\n.\n..\nFrom here it is a mile.\n' + 'x'.repeat(2000)

test('an email reaches the mailbox over TLS with its headers and text intact', async (context) => {
  const id = await scene.send(sam.address, { body: text, html: '<p>See <b>you</b>, señor.</p>' })
  expect(await scene.until(id, 'sent')).toMatchObject({ provider_message_id: `<${id}@lantern.example>` })
  await vi.waitUntil(async () => (await arrived(id)).length > 0, bounds)
  const [raw = '', ...others] = await arrived(id)
  expect(others).toEqual([])
  const headers = headersOf(raw)
  expect(headers[0]).toMatch(/^Return-Path: <office\+b-[0-9a-z]{38}@lantern\.example>$/)
  expect(headers).toEqual(
    expect.arrayContaining([
      'Delivered-To: sam@reyes.example',
      'From: "Lantern & Oak" <office@lantern.example>',
      'To: sam@reyes.example',
      'Subject: Your viewing',
      expect.stringMatching(/^Reply-To: office\+r-[0-9a-z]{38}@lantern\.example$/),
      expect.stringMatching(/^List-Unsubscribe: <http:\/\/[^>]+\/unsubscribe\/[\w-]+>$/),
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    ]),
  )
  expect((await PostalMime.parse(raw)).text).toContain(text)
  expect(await scene.servers.postfixLog()).toContain('TLS connection established')
  if (!canVerifyDkim()) return context.skip('this machine lets no one mount: the signature is not verified')
  const keys = { 'gable._domainkey.lantern.example': record }
  expect(await verifyDkim(raw, keys)).toBe('')
  expect(await verifyDkim(raw.replace('One-Click', 'Two-Click'), keys)).not.toBe('')
})

test('a temporarily rejected recipient is retried and gets one email', async () => {
  const { app, servers } = scene
  servers.policy.decide = ({ recipient }) => (recipient === sam.address ? '450 4.2.1 Greylisted' : undefined)
  const id = await scene.send(sam.address)
  await vi.waitUntil(async () => (await scene.attempts(id))[0]?.outcome === 'later', bounds)
  expect(await scene.attempts(id)).toMatchObject([
    {
      detail: {
        code: 'provider_unavailable',
        carrierCode: '4.2.1',
        message: expect.stringContaining('Greylisted'),
      },
    },
  ])
  expect(await arrived(id)).toEqual([])
  servers.policy.decide = () => undefined
  app.clock.advance(5_000)
  await scene.until(id, 'sent')
  await vi.waitUntil(async () => (await arrived(id)).length > 0, bounds)
  expect(await arrived(id)).toHaveLength(1)
})

test.for([
  ['RCPT', '550 5.1.1 No such user', 'recipient_invalid', '5.1.1', 'suppressed_hard_bounce'],
  ['RCPT', '554 5.7.1 Blocked', 'rejected', '5.7.1', undefined],
  ['END-OF-MESSAGE', '554 5.7.1 Spam', 'rejected', '5.7.1', undefined],
] as const)('a rejection at %s with %s fails as %s', async ([state, says, code, carrier_code, reason]) => {
  scene.servers.policy.decide = ({ protocol_state }) => (protocol_state === state ? says : undefined)
  const to = `person${carrier_code}@reyes.example`
  const id = await scene.send(to)
  const { error } = await scene.until(id, 'failed')
  expect(error).toMatchObject({ code, carrier_code })
  expect(JSON.stringify(error)).not.toContain('reyes')
  expect(await scene.attempts(id)).toHaveLength(1)
  scene.servers.policy.decide = () => undefined
  const draft = { channel: 'email', to, subject: 'Hi', body: 'Hello' }
  expect((await scene.agent.post('/messages/preflight', draft)).body['reason']).toBe(reason ?? null)
})

test('an email accepted after the response timeout is resent once with the same bytes', async () => {
  const { app, servers } = scene
  const { promise: isReleased, resolve: release } = Promise.withResolvers<undefined>()
  servers.policy.decide = ({ protocol_state }) =>
    protocol_state === 'END-OF-MESSAGE' ? isReleased : undefined
  const id = await scene.send(sam.address, { body: text })
  expect(await scene.until(id, 'unknown')).toMatchObject({ provider_message_id: null })
  release(undefined)
  await vi.waitUntil(async () => (await arrived(id)).length === 1, bounds)
  servers.policy.decide = () => undefined
  app.clock.advance(30_000)
  await scene.until(id, 'sent')
  await vi.waitUntil(async () => (await arrived(id)).length === 2, bounds)
  const [first = '', second = ''] = await arrived(id)
  expect(asSent(second)).toBe(asSent(first))
})
