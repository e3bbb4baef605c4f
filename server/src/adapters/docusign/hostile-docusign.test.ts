import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { ProviderAccount } from '../../modules/documents/ports.ts'
import { docusignProvider } from './docusign-provider.ts'

type Respond = (response: ServerResponse) => void

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')
const secrets = ['connect-key-of-ours', 'integration-key-of-ours', 'user-id-of-ours', key]
const token = 'token-of-ours'
const account: ProviderAccount = {
  id: 'cmi8h4y3k0002d5f7g9h1j3k5',
  workspaceId: 'cmi8h0s4a0000b3n7m1k5v9z2',
  provider: 'docusign',
  name: 'account-1',
  settings: {},
  simulated: false,
  secrets: [secrets.join(' ')],
}
const accounts = '/restapi/v2.1/accounts/account-1'
const envelope = `GET ${accounts}/envelopes/e1`

/** What a server on this machine was asked, and how it responds to each request. */
async function start(responses: Map<string, Respond>) {
  const asked: IncomingMessage[] = []
  const server = createServer(async (request, response) => {
    asked.push(request)
    await buffer(request)
    const respond = responses.get(`${request.method} ${request.url?.split('?')[0]}`)
    if (respond === undefined) response.writeHead(404).end('{"errorCode":"RESOURCE_NOT_FOUND"}')
    else respond(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    asked,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const responses = new Map<string, Respond>()
const json =
  (body: unknown, status = 200): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const page =
  (status: number): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>nginx</h1>')

const egress = createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback', timeoutMs: 1000 })
let here: Awaited<ReturnType<typeof start>>
let elsewhere: typeof here
const open = () =>
  docusignProvider({
    egress,
    clock: systemClock,
    origin: here.origin,
    publicOrigin: () => 'https://gable.example',
  })

beforeAll(async () => {
  here = await start(responses)
  elsewhere = await start(new Map())
})
beforeEach(() => {
  responses.clear()
  responses.set('POST /oauth/token', json({ access_token: token, token_type: 'Bearer', expires_in: 3600 }))
  responses.set(
    'GET /oauth/userinfo',
    json({ accounts: [{ account_id: 'account-1', base_uri: here.origin }] }),
  )
  responses.set(envelope, json({ status: 'sent', emailSubject: 'Offer' }))
  here.asked.length = 0
  elsewhere.asked.length = 0
})
afterAll(async () => {
  await egress[Symbol.asyncDispose]()
  here.close()
  elsewhere.close()
})

const drip: Respond = (response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write(' '), 50)
  response.once('close', () => clearInterval(timer))
}
const cutOff: Respond = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"access_token":"')
  response.socket?.destroySoon()
}

const exchange = ['POST /oauth/token', 'GET /oauth/userinfo'] as const
const unusable: [what: string, Respond][] = [
  ['a page in its place', page(200)],
  ['no page', page(404)],
  ['a gateway that fails', page(502)],
  ['a response without what it should have', json({})],
  ['a list', json([token])],
  ['null', json(null)],
  ['nothing', (response) => response.end()],
  ['no HTTP', (response) => void response.socket?.end('SSH-2.0\r\n\r\n')],
  ['too much', (response) => response.end(`{"access_token":"${'a'.repeat(2 ** 20)}"}`)],
  ['one byte after the other', drip],
  ['half of it', cutOff],
]

/** What depends on these faults: `credentials_rejected` says that the keys are wrong, `document_not_found` that the envelope is gone. */
test.for(exchange.flatMap((line) => unusable.map(([what, respond]) => [line, what, respond] as const)))(
  '%s with %s says nothing about the envelope or the keys',
  async ([line, , respond]) => {
    responses.set(line, respond)
    const docusign = open()
    for (const called of [docusign.read, docusign.discard, docusign.openFile])
      expect(await called(account, 'e1')).toMatchObject({ fault: 'provider_unavailable' })
  },
)

test.for(exchange.flatMap((line) => [301, 302, 303, 307, 308].map((status) => [line, status] as const)))(
  '%s that leads elsewhere with %i is not followed',
  async ([line, status]) => {
    responses.set(line, (response) => response.writeHead(status, { location: elsewhere.origin }).end())
    expect(await open().read(account, 'e1')).toMatchObject({ fault: 'provider_unavailable' })
    expect(elsewhere.asked).toEqual([])
  },
)

test('an envelope that leads elsewhere is not followed, and the token stays here', async () => {
  const leads: Respond = (response) => response.writeHead(307, { location: elsewhere.origin }).end()
  responses.set(envelope, leads)
  responses.set(`${envelope}/documents/combined`, leads)
  expect(await open().read(account, 'e1')).toMatchObject({ fault: 'rejected' })
  expect(await open().openFile(account, 'e1')).toMatchObject({ fault: 'rejected' })
  expect(elsewhere.asked).toEqual([])
})

test.for([
  'https://docusign.net',
  'https://na4.docusign.net.example',
  'https://na4.docusign.net:8443',
  'https://na4.docusign.net/x',
  'https://na4.docusign.net@127.0.0.1',
  'https://user@na4.docusign.net',
  'https://a.b.docusign.net',
  'https://na4.docusign.net\n',
  'http://na4.docusign.net',
  'https://169.254.169.254',
  '//na4.docusign.net',
  'undefined',
  '',
  null,
  {},
])('the token is sent to no host like %j', async (base_uri) => {
  responses.set('GET /oauth/userinfo', json({ accounts: [{ account_id: 'account-1', base_uri }] }))
  expect(await open().read(account, 'e1')).toMatchObject({ fault: 'credentials_rejected' })
  responses.set(
    'GET /oauth/userinfo',
    json({ accounts: [{ account_id: 'account-1', base_uri: elsewhere.origin }] }),
  )
  expect(await open().read(account, 'e1')).toMatchObject({ fault: 'credentials_rejected' })
  expect(elsewhere.asked).toEqual([])
})

test('another account of the same user is not used', async () => {
  const found = [
    { account_id: 'account-2', is_default: true, base_uri: here.origin },
    { account_id: 1, base_uri: here.origin },
    null,
  ]
  responses.set('GET /oauth/userinfo', json({ accounts: found }))
  expect(await open().read(account, 'e1')).toMatchObject({ fault: 'credentials_rejected' })
  expect(here.asked).toHaveLength(2)
})

test.for([400, 401, 403, 404, 429, 500])(
  'no fault repeats what an error of status %i quotes',
  async (status) => {
    const quoted = [...secrets, token, 'Ada Reyes']
    const body = { error: quoted.join(' '), errorCode: quoted.join(' '), message: quoted.join(' ') }
    for (const line of [...exchange, envelope, `${envelope}/documents/combined`]) {
      const before = responses.get(line)
      responses.set(line, json(body, status))
      const said = JSON.stringify([
        await open().read(account, 'e1'),
        await open().openFile(account, 'e1'),
        await open().discard(account, 'e1'),
      ])
      for (const one of quoted) expect(said, line).not.toContain(one)
      if (before !== undefined) responses.set(line, before)
    }
  },
)

test('only a response of DocuSign says that an envelope is gone, not a page of status 404', async () => {
  responses.set(envelope, page(404))
  responses.set(`${envelope}/documents/combined`, page(404))
  expect(await open().read(account, 'e1')).toMatchObject({ fault: 'provider_unavailable' })
  expect(await open().discard(account, 'e1')).toMatchObject({ fault: 'provider_unavailable' })
  expect(await open().openFile(account, 'e1')).toMatchObject({ fault: 'provider_unavailable' })
  responses.set(envelope, json({ errorCode: 'ENVELOPE_DOES_NOT_EXIST' }, 404))
  expect(await open().read(account, 'e1')).toMatchObject({ fault: 'document_not_found' })
})

test('a token that ended before its time is replaced, whatever call meets it', async () => {
  const docusign = open()
  await docusign.read(account, 'e1')
  responses.set(`${envelope}/documents/combined`, json({}, 401))
  expect(await docusign.openFile(account, 'e1')).toMatchObject({ fault: 'credentials_rejected' })
  here.asked.length = 0
  await docusign.read(account, 'e1')
  expect(here.asked[0]?.url).toBe('/oauth/token')
})

test.for(['.', '..'])('an envelope %j reaches nothing beside the envelopes', async (id) => {
  const docusign = open()
  expect(await docusign.read(account, id)).toMatchObject({ fault: 'document_not_found' })
  expect(await docusign.void(account, id, 'x')).toMatchObject({ fault: 'document_not_found' })
  expect(await docusign.discard(account, id)).toMatchObject({ fault: 'document_not_found' })
  expect(await docusign.openFile(account, id)).toMatchObject({ fault: 'document_not_found' })
  expect(here.asked).toEqual([])
})
