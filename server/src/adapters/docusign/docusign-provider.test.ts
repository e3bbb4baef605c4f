import { generateKeyPairSync, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { Fault, ProviderAccount, ReadDocument } from '../../modules/documents/ports.ts'
import { docusignProvider } from './docusign-provider.ts'
import { envelopeIn } from './read-envelope.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = (type: 'pkcs1' | 'pkcs8') => privateKey.export({ type, format: 'der' }).toString('base64')

/** The requests that the fake DocuSign server got, and its response for each path. */
const asked: { line: string; body: string; authorization: string | undefined }[] = []
const responses = new Map<string, [status: number, body: string]>()
let origin = ''

const server = createServer(async (request, response) => {
  const line = `${request.method} ${request.url}`
  asked.push({ line, body: await text(request), authorization: request.headers.authorization })
  const [status, body] = responses.get(line) ?? [404, '{}']
  response.writeHead(status).end(body)
})

const egress = createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback' })
const account = (change: Partial<ProviderAccount> = {}): ProviderAccount => ({
  id: 'cmi8h4y3k0002d5f7g9h1j3k5',
  workspaceId: 'cmi8h0s4a0000b3n7m1k5v9z2',
  provider: 'docusign',
  name: 'ACCOUNT-1',
  settings: {},
  simulated: false,
  secrets: [`connect-key integration-key user-id ${key('pkcs1')}`],
  ...change,
})
const open = () =>
  docusignProvider({ egress, clock: systemClock, origin, publicOrigin: () => 'https://gable.example' })
const here = `https://gable.example/callbacks/docusign/${account().id}`
const envelopes = '/restapi/v2.1/accounts/ACCOUNT-1/envelopes'

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const accounts = [{ account_id: 'account-1', base_uri: origin }]
  const token = { access_token: 'token-1', expires_in: 3600 }
  responses.set('POST /oauth/token', [200, JSON.stringify(token)])
  responses.set('GET /oauth/userinfo', [200, JSON.stringify({ accounts })])
  responses.set(`GET ${envelopes}/e1?include=recipients`, [
    200,
    JSON.stringify({ status: 'sent', emailSubject: 'Offer' }),
  ])
  responses.set(`GET ${envelopes}/e1/documents/combined`, [200, '%PDF-1.4'])
  responses.set(`PUT ${envelopes}/e1`, [200, '{}'])
})
afterAll(async () => {
  await egress[Symbol.asyncDispose]()
  server.close()
})

test('one signed assertion yields a token that several calls use', async () => {
  const docusign = open()
  asked.length = 0
  expect(await docusign.read(account(), 'e1')).toMatchObject({ status: 'sent', title: 'Offer' })
  expect(await docusign.void(account(), 'e1', 'New terms.')).toBeUndefined()
  const file = await docusign.openFile(account(), 'e1')
  expect('fault' in file ? file : await text(file)).toBe('%PDF-1.4')
  expect(asked.map(({ line }) => line)).toEqual([
    'POST /oauth/token',
    'GET /oauth/userinfo',
    `GET ${envelopes}/e1?include=recipients`,
    `PUT ${envelopes}/e1`,
    `GET ${envelopes}/e1/documents/combined`,
  ])
  expect(asked.slice(1).every(({ authorization }) => authorization === 'Bearer token-1')).toBe(true)
  expect(JSON.parse(asked[3]?.body ?? '')).toEqual({ status: 'voided', voidedReason: 'New terms.' })
  const form = new URLSearchParams(asked[0]?.body)
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
  const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${claims}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  )
  expect(isSigned).toBe(true)
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    iss: 'integration-key',
    sub: 'user-id',
    aud: 'account.docusign.com',
    scope: 'signature impersonation',
  })
})

test.for<[what: string, response: [number, string], expected: object]>([
  [
    'that is on leads here',
    [200, JSON.stringify({ configurations: [{ urlToPublishTo: here, allowEnvelopePublish: 'true' }] })],
    { actual: here },
  ],
  [
    'that is off leads here',
    [200, JSON.stringify({ configurations: [{ urlToPublishTo: here, allowEnvelopePublish: 'false' }] })],
    { actual: null },
  ],
  ['is missing', [200, '{}'], { actual: null }],
  [
    'may not be read by the user',
    [400, JSON.stringify({ errorCode: 'ACCOUNT_LACKS_PERMISSIONS' })],
    { actual: null, isUnsaid: true },
  ],
  ['cannot be read now', [503, ''], { fault: 'provider_unavailable' }],
])('a Connect configuration %s', async ([, response, expected]) => {
  responses.set('GET /restapi/v2.1/accounts/ACCOUNT-1/connect', response)
  expect(await open().readCallbackUrl?.(account())).toMatchObject(expected)
})

test('a token of one environment is not used in another, nor one that is no header value', async () => {
  const docusign = open()
  await docusign.read(account(), 'e1')
  asked.length = 0
  await docusign.read(account({ settings: { environment: 'demo' } }), 'e1')
  expect(asked[0]?.line).toBe('POST /oauth/token')
  const granted = responses.get('POST /oauth/token') ?? expect.unreachable()
  try {
    for (const access_token of ['', 'token\r\nx-other: 1', 'tökén', '\u0000']) {
      responses.set('POST /oauth/token', [200, JSON.stringify({ access_token })])
      expect(await open().read(account(), 'e1'), access_token).toMatchObject({
        fault: 'provider_unavailable',
      })
    }
  } finally {
    responses.set('POST /oauth/token', granted)
  }
})

test('the key may be PKCS#8, and the environment may be the demo', async () => {
  asked.length = 0
  const demo = account({
    settings: { environment: 'demo' },
    secrets: [`connect-key integration-key user-id ${key('pkcs8')}`],
  })
  expect(await open().read(demo, 'e1')).toMatchObject({ status: 'sent' })
  const [, claims = ''] = (new URLSearchParams(asked[0]?.body).get('assertion') ?? '').split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    aud: 'account-d.docusign.com',
  })
})

test.for<[what: string, line: string, response: [number, string], fault: Fault['fault']]>([
  ['no consent', 'POST /oauth/token', [400, '{"error":"consent_required"}'], 'credentials_rejected'],
  ['a wrong key', 'POST /oauth/token', [400, '{"error":"invalid_grant"}'], 'credentials_rejected'],
  ['no token for now', 'POST /oauth/token', [503, ''], 'provider_unavailable'],
  ['no such account', 'GET /oauth/userinfo', [200, '{"accounts":[]}'], 'credentials_rejected'],
  [
    'an account elsewhere',
    'GET /oauth/userinfo',
    [200, '{"accounts":[{"account_id":"account-1","base_uri":"https://docusign.net.example"}]}'],
    'credentials_rejected',
  ],
  ['a token that ended', `GET ${envelopes}/e1?include=recipients`, [401, ''], 'credentials_rejected'],
  [
    'no such envelope',
    `GET ${envelopes}/e1?include=recipients`,
    [400, '{"errorCode":"ENVELOPE_DOES_NOT_EXIST"}'],
    'document_not_found',
  ],
  ['too many requests', `GET ${envelopes}/e1?include=recipients`, [429, ''], 'provider_unavailable'],
  ['another rejection', `GET ${envelopes}/e1?include=recipients`, [400, '{"errorCode":"X"}'], 'rejected'],
])('%s is a fault', async ([, line, response, fault]) => {
  const before = responses.get(line)
  responses.set(line, response)
  expect(await open().read(account(), 'e1')).toMatchObject({ fault })
  if (before !== undefined) responses.set(line, before)
})

test.for<[status: string, purgeState: string, changes: string[]]>([
  ['created', 'unpurged', ['PUT /restapi/v2.1/accounts/ACCOUNT-1/folders/recyclebin {"envelopeIds":["e2"]}']],
  ['deleted', 'unpurged', []],
  [
    'delivered',
    'unpurged',
    [
      `PUT ${envelopes}/e2 {"status":"voided","voidedReason":"The document is no longer needed."}`,
      `PUT ${envelopes}/e2 {"purgeState":"documents_and_metadata_queued"}`,
    ],
  ],
  ['completed', 'unpurged', [`PUT ${envelopes}/e2 {"purgeState":"documents_and_metadata_queued"}`]],
  ['completed', 'documents_and_metadata_queued', []],
  ['voided', 'documents_and_metadata_purged', []],
])(
  'discarding an envelope that is %s and %s makes only the needed changes',
  async ([status, purgeState, changes]) => {
    responses.set(`GET ${envelopes}/e2`, [200, JSON.stringify({ status, purgeState })])
    responses.set(`PUT ${envelopes}/e2`, [200, '{}'])
    responses.set('PUT /restapi/v2.1/accounts/ACCOUNT-1/folders/recyclebin', [200, '{}'])
    asked.length = 0
    expect(await open().discard(account(), 'e2')).toBeUndefined()
    expect(
      asked.filter(({ line }) => line.startsWith('PUT')).map(({ line, body }) => `${line} ${body}`),
    ).toEqual(changes)
    responses.set(`PUT ${envelopes}/e2`, [400, '{"errorCode":"X"}'])
    if (status === 'completed' && changes.length > 0)
      expect(await open().discard(account(), 'e2')).toMatchObject({ fault: 'rejected' })
  },
)

test('an invalid private key is a fault, and no request is made', async () => {
  asked.length = 0
  const broken = account({ secrets: ['connect-key integration-key user-id AAAA'] })
  expect(await open().read(broken, 'e1')).toMatchObject({ fault: 'credentials_rejected' })
  expect(asked).toEqual([])
})

test.for<[status: string, reason: string, expected: ReadDocument['status']]>([
  ['created', '', 'draft'],
  ['sent', '', 'sent'],
  ['delivered', '', 'viewed'],
  ['signed', '', 'viewed'],
  ['completed', '', 'signed'],
  ['declined', '', 'declined'],
  ['voided', 'New terms.', 'voided'],
  ['voided', 'The offer has expired.', 'voided'],
  ['voided', 'Envelope has expired.', 'expired'],
  ['deleted', '', 'voided'],
  ['something new', '', 'draft'],
])('an envelope that is %s (%s) is %s', ([status, voidedReason, expected]) => {
  expect(envelopeIn({ status, voidedReason }).status).toBe(expected)
})

test('signers do not include carbon-copy recipients', () => {
  const signers = [
    {
      recipientIdGuid: 'g1',
      name: 'Ada',
      email: 'ada@reyes.example',
      roleName: 'Buyer',
      status: 'completed',
      signedDateTime: '2026-03-01T12:00:00.0000000Z',
    },
    { recipientId: '2', name: 'Bo', email: 'bo@lind.example', status: 'autoresponded' },
  ]
  expect(envelopeIn({ status: 'sent', recipients: { signers, carbonCopies: [{}] } }).signers).toEqual([
    {
      providerSignerId: 'g1',
      name: 'Ada',
      email: 'ada@reyes.example',
      role: 'Buyer',
      status: 'signed',
      signedAt: '2026-03-01T12:00:00.000Z',
    },
    {
      providerSignerId: '2',
      name: 'Bo',
      email: 'bo@lind.example',
      role: 'signer',
      status: 'sent',
      signedAt: null,
    },
  ])
})
