import { beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import {
  accountFor,
  agent,
  app,
  carrier,
  connectWhatsApp,
  mediaAtProvider,
  openWholeWay,
  workspace,
} from '#test/scenes/whole-way.ts'
import { eventually } from '#test/support/eventually.ts'
import { connectSimulatedSenders } from '../../src/modules/messages/public.ts'

let serial = 100
openWholeWay('message_media')
beforeAll(async () => {
  await connectSimulatedSenders(app.runtime, app.carriers)
  await connectWhatsApp()
})

const lines = { sms: '+13125550188', whatsapp: 'whatsapp:+13125550189' }
const picture = (text = 'a picture') =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(text)])
const png = { contentType: 'image/png', name: null, content: picture() }

interface Shown {
  id: string
  body: string
  provider_message_id: string
  media: { id: string; size: number; name: string; status: string; url: string }[]
}

/** Writes from a new number, and returns the message once none of its files is pending. */
async function receive(
  channel: keyof typeof lines,
  body: string,
  media: { contentType: string; name: string | null; content: Buffer }[],
) {
  // A minute has only so many requests.
  app.clock.advance(61_000)
  const from = `+1312555${++serial}0`
  const contact = (await agent.post('/contacts', { first_name: 'Ana', phone: from })).body['id']
  expect(carrier.write({ from, to: lines[channel], body, media })).toBe(true)
  let message: Shown | undefined
  await eventually(async () => {
    message = (await agent.get(`/messages?direction=INBOUND&contact_id=${contact}`)).body['data'][0]
    return message !== undefined && message.media.every(({ status }) => status !== 'pending')
  })
  return { contact, ...orNotFound(message) }
}

test.for<[channel: keyof typeof lines, given: string, shown: string, name: string]>([
  ['sms', '', '[image]', '1.png'],
  ['sms', 'The kitchen', 'The kitchen', '1.png'],
  ['whatsapp', '', '[image]', '1.png'],
  ['whatsapp', 'The kitchen', 'The kitchen 📎', '1.png'],
])('a picture by %s with the words %j is stored and shown', async ([channel, given, shown, name]) => {
  const { body, media } = await receive(channel, given, [png])
  expect([body, media]).toEqual([
    shown,
    [
      {
        id: expect.any(String),
        content_type: 'image/png',
        size: png.content.length,
        name,
        status: 'stored',
        url: expect.stringContaining('/files/'),
      },
    ],
  ])
  const response = await fetch(media[0]?.url ?? '')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(Buffer.from(await response.arrayBuffer())).toEqual(png.content)
  expect(response.headers.get('content-disposition')).toContain('attachment')
})

test.for<[contentType: string, word: string]>([
  ['image/jpeg', '[image]'],
  ['video/mp4', '[video]'],
  ['audio/ogg; codecs=opus', '[audio]'],
  ['text/vcard', '[contacts]'],
  ['application/pdf', '[document]'],
  ['application/x-unknown', '[document]'],
])('a text that is only a file of %s reads %s', async ([contentType, word]) => {
  const { body } = await receive('sms', ' ', [{ contentType, name: null, content: Buffer.from('x') }])
  expect(body).toBe(word)
})

test('several files of a text are stored in order, and a document has its name', async () => {
  const { media } = await receive('sms', 'Two', [png, { ...png, content: picture('another') }])
  expect(media.map(({ size, name }) => [size, name])).toEqual([
    [png.content.length, '1.png'],
    [picture('another').length, '2.png'],
  ])
  const pdf = {
    contentType: 'application/pdf',
    name: '../Offer / “final”.pdf',
    content: Buffer.from('%PDF-1.7 …'),
  }
  const { media: documents } = await receive('whatsapp', '', [pdf])
  expect(documents).toMatchObject([{ name: '.. Offer “final”.pdf', status: 'stored' }])
})

test.for<
  [
    channel: keyof typeof lines,
    stated: string,
    name: string | null,
    content: Buffer,
    type: string,
    shown: string,
  ]
>([
  ['sms', 'application/octet-stream', null, picture(), 'image/png', '1.png'],
  ['sms', 'image/jpeg', null, picture(), 'image/png', '1.png'],
  ['sms', 'image/x-png', null, picture(), 'image/png', '1.png'],
  [
    'whatsapp',
    'application/octet-stream',
    'Offer.pdf',
    Buffer.from('%PDF-1.7 …'),
    'application/pdf',
    'Offer.pdf',
  ],
  [
    'sms',
    'image/heic',
    null,
    Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
    'image/heic',
    '1.heic',
  ],
])(
  'by %s, a file that is stated as %s is stored as what its content is',
  async ([channel, contentType, name, content, type, shown]) => {
    const { media } = await receive(channel, 'See this', [{ contentType, name, content }])
    expect(media).toMatchObject([{ status: 'stored', content_type: type, name: shown }])
    const response = await fetch(media[0]?.url ?? '')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  },
)

test.for<[name: string, contentType: string, content: Buffer]>([
  ['is larger than 16 MB', 'image/png', Buffer.concat([picture(), Buffer.alloc(16 * 2 ** 20)])],
  ['is HTML', 'text/html', Buffer.from('<script>')],
  ['is SVG', 'image/svg+xml', Buffer.from('<svg>')],
  ['is a program', 'application/x-msdownload', Buffer.from('MZ')],
  ['states another type than it has', 'image/png', Buffer.from('<html><script>alert(1)</script>')],
  ['has HTML in place of a card', 'text/vcard', Buffer.from(' <html>')],
])('a file that %s is rejected, and the message is received', async ([, contentType, content]) => {
  const { media } = await receive('sms', 'See this', [{ contentType, name: null, content }])
  expect(media).toMatchObject([{ status: 'rejected', size: null, url: null }])
})

test('a credential that sees no personal data gets no link', async () => {
  const { id } = await receive('sms', '', [png])
  const masked = await workspace.credential('messages:read')
  expect((await masked.get(`/messages/${id}`)).body['media']).toMatchObject([
    { status: 'stored', name: null, url: null, content_type: 'image/png' },
  ])
})

test('a member who does not see the contact cannot use a colleague’s link as their own', async () => {
  const { contact, id } = await receive('sms', '', [png])
  const owner = await workspace.member()
  const other = await workspace.member()
  expect((await agent.patch(`/contacts/${contact}`, { owner_id: owner.id })).status).toBe(200)
  const [ownerKey, otherKey] = [await workspace.keyFor(owner.id), await workspace.keyFor(other.id)]
  expect((await otherKey.get(`/messages/${id}`)).status).toBe(404)
  const url = (await ownerKey.get(`/messages/${id}`)).body['media'][0].url
  expect((await fetch(url)).status).toBe(200)
  expect((await agent.patch(`/contacts/${contact}`, { owner_id: other.id })).status).toBe(200)
  expect((await fetch(url)).status).toBe(404)
})

test('an erasure of the person erases the files, here and at the provider', async () => {
  const { contact, id, media, provider_message_id } = await receive('sms', 'The kitchen', [png])
  const place = { workspaceId: workspace.id, fileId: media[0]?.id ?? '' }
  expect(await app.files.get(place)).toBeDefined()
  const { account } = await accountFor('SMS')
  expect((await agent.delete(`/contacts/${contact}`)).status).toBe(200)
  expect((await fetch(media[0]?.url ?? '')).status).toBe(404)
  expect((await agent.get(`/messages/${id}`)).body).toMatchObject({ body: null, media: [] })
  await eventually(async () => (await app.files.get(place)) === undefined)
  expect(await app.carriers.twilio?.forget?.(account, provider_message_id)).toBe(true)
  expect(await mediaAtProvider(provider_message_id)).toEqual([])
})
