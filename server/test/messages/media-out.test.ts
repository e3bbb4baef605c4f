import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  agent,
  app,
  carrier,
  connectWhatsApp,
  mediaAtProvider,
  openWholeWay,
  workspace,
} from '#test/scenes/whole-way.ts'
import { asOwner } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'
import { eraseUnclaimedFiles } from '../../src/modules/files/unclaimed.ts'

const Row = Type.Object({ id: Type.String() })
const person = '+13125550177'
let site: string
let close: () => void
/** What the site that has the files was asked for. */
let asked: string[]

const png = Buffer.from('\x89PNG\r\n\x1a\n picture', 'latin1')
const pages: Record<string, [status: number, type: string, content: Buffer | string, location?: string]> = {
  '/kitchen.png': [200, 'image/png', png],
  '/unnamed': [200, 'binary/octet-stream', png],
  '/plan.pdf': [200, 'application/pdf', '%PDF-1.7'],
  '/card.vcf': [200, 'text/x-vcard; charset=utf-8', 'BEGIN:VCARD'],
  '/page.png': [200, 'image/png', '<html>'],
  '/page.html': [200, 'text/html', '<html>'],
  '/film.mp4': [200, 'video/mp4', '\0\0\0\x18ftypmp42'],
  '/large.png': [200, 'image/png', Buffer.concat([png, Buffer.alloc(5 * 2 ** 20)])],
  '/moved.png': [302, 'text/plain', '', '/kitchen.png'],
}

openWholeWay('media_out', { egress: { allowHttp: 'loopback', allowPrivate: 'loopback' } })
beforeAll(async () => {
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const [status, type, content, location] = pages[request.url ?? ''] ?? [404, 'text/plain', 'None']
    response.writeHead(status, { 'content-type': type, ...(location && { location }) }).end(content)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => close())
beforeEach(() => void (asked = []))

const post = (message: object) =>
  agent.post('/messages', { channel: 'sms', to: person, body: 'See this', ...message })

/** Sends a message, and waits until it is delivered. */
async function send(message: object) {
  // For the pace of the sender.
  app.clock.advance(5_000)
  const { status, body } = await post(message)
  expect([status, body['status']]).toEqual([201, 'queued'])
  const read = async () => (await agent.get(`/messages/${body['id']}`)).body
  await eventually(async () =>
    ['delivered', 'read', 'failed', 'undelivered'].includes((await read())['status']),
  )
  return read()
}

test('a picture by text is fetched once at acceptance and handed to the carrier by a link', async () => {
  const message = await send({
    media_urls: [`${site}/kitchen.png`, `${site}/unnamed`, `${site}/plan.pdf`, `${site}/card.vcf`],
  })
  expect(message).toMatchObject({
    status: 'delivered',
    body: 'See this',
    media: [
      { content_type: 'image/png', name: 'kitchen.png', size: png.length, status: 'stored' },
      { content_type: 'image/png', name: '2.png' },
      { content_type: 'application/pdf', name: 'plan.pdf' },
      { content_type: 'text/vcard', name: 'card.vcf' },
    ],
  })
  expect(asked).toEqual(['/kitchen.png', '/unnamed', '/plan.pdf', '/card.vcf'])
  const files = await mediaAtProvider(String(message['provider_message_id']))
  expect(files.map(({ content_type }) => content_type)).toEqual([
    'image/png',
    'image/png',
    'application/pdf',
    'text/vcard',
  ])
  const own = (await agent.get(`/messages/${String(message['id'])}`)).body['media'][0].url
  expect(Buffer.from(await (await fetch(own)).arrayBuffer())).toEqual(png)
})

test('WhatsApp sends one file with its caption', async () => {
  const address = await connectWhatsApp()
  const whatsapp = { channel: 'whatsapp', purpose: 'reply' }
  expect(carrier.write({ from: person, to: `whatsapp:${address}`, body: 'Show me' })).toBe(true)
  const received = async () => (await agent.get('/messages?direction=INBOUND&channel=WHATSAPP')).body['data']
  await eventually(async () => (await received()).length > 0)
  for (const path of ['kitchen.png', 'plan.pdf'])
    expect(await send({ ...whatsapp, media_urls: [`${site}/${path}`] })).toMatchObject({
      body: 'See this',
      media: [{ name: path, status: 'stored' }],
      error: null,
    })
  const two = await post({ ...whatsapp, media_urls: [`${site}/kitchen.png`, `${site}/plan.pdf`] })
  expect([two.status, two.body.error.details[0].path]).toEqual([400, 'media_urls'])
})

test.for<[path: string, message: string]>([
  ['/none.png', 'status 404'],
  ['/moved.png', 'status 302'],
  ['/page.png', 'is not a JPEG, PNG, GIF, WebP, PDF, or vCard'],
  ['/page.html', 'is not a JPEG, PNG, GIF, WebP, PDF, or vCard'],
  ['/film.mp4', 'is not a JPEG, PNG, GIF, WebP, PDF, or vCard'],
  ['/large.png', 'the response is too long'],
])('%s is rejected with %j, and nothing is sent', async ([path, message]) => {
  const { status, body } = await post({ media_urls: [`${site}/kitchen.png`, site + path] })
  expect([status, body.error.details]).toEqual([
    400,
    [{ path: 'media_urls.1', message: expect.stringContaining(message) }],
  ])
})

test.for<[change: object, path: string]>([
  [{ media_urls: ['ftp://files.example/a'] }, 'media_urls.0'],
  [{ media_urls: ['https://10.0.0.256/a'] }, 'media_urls.0'],
  [{ media_urls: Array.from({ length: 11 }, () => 'https://files.example/a') }, 'media_urls'],
  [{ ai_generated: true, media_urls: ['https://files.example/a'] }, 'media_urls'],
  [{ body: undefined, media_urls: ['https://files.example/a'] }, 'body'],
  [
    {
      channel: 'whatsapp',
      body: undefined,
      template: { name: 'viewing_reminder', language: 'en_US' },
      media_urls: ['https://files.example/a'],
    },
    'media_urls',
  ],
  [{ channel: 'whatsapp', body: 'x'.repeat(1025), media_urls: ['https://files.example/a'] }, 'body'],
])('%j is a 400 for %s', async ([change, path]) => {
  const { status, body } = await post(change)
  expect([status, body.error.details[0].path]).toEqual([400, path])
  expect(asked).toEqual([])
})

test('a message that a gate forbids fetches nothing, and a message with files is not resent', async () => {
  const { status } = await post({ to: '+13125550142', media_urls: [`${site}/kitchen.png`] })
  expect([status, asked]).toEqual([422, []])
  const failed = await send({ to: person, media_urls: [`${site}/kitchen.png`] })
  expect((await agent.post(`/messages/${String(failed['id'])}/resend`, {})).status).toBe(409)
})

test('the files of a message that was not accepted are erased after an hour, and those of others stay', async () => {
  const message = await send({ media_urls: [`${site}/kitchen.png`] })
  const count = async () =>
    (
      await workspace.ctx.db.many(
        Row,
      )`select id from files where workspace_id = ${workspace.id} and erased_at is null`
    ).map(({ id }) => id)
  expect((await post({ media_urls: [`${site}/kitchen.png`, `${site}/none`] })).status).toBe(400)
  const before = await count()
  await asOwner(app.databaseUrl, "update files set expires_at = '2020-01-01' where expires_at is not null")
  await eraseUnclaimedFiles.handle(app.runtime)
  const after = await count()
  expect(before.length).toBeGreaterThan(after.length)
  expect(after).toContain((message['media'] as { id: string }[])[0]?.id)
})
