import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { EgressOptions } from '#kernel/egress/egress.ts'
import { checkPublicUrl } from '../../src/doctor/public-url.ts'
import { type Certificates, certificateAuthority, selfSigned } from '../egress/certificates.ts'

const host = 'gable.example.com'
const dayMs = 24 * 3_600_000
const now = new Date()

let authority: Certificates
const opened = new AsyncDisposableStack()
beforeAll(async () => void (authority = await certificateAuthority()))
afterAll(() => opened.disposeAsync())

/** Starts what responds at the address, and returns its URL. */
async function serve(
  certificate: SecureContextOptions,
  body = '{"status":"ok"}',
  status = 200,
): Promise<string> {
  const server = createServer(certificate, (_, response) => response.writeHead(status).end(body))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  opened.defer(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `https://${host}:${(server.address() as AddressInfo).port}`
}

const valid = (days: number) =>
  authority.issue(host, {
    notBeforeDate: new Date(now.getTime() - 60 * dayMs),
    notAfterDate: new Date(now.getTime() + days * dayMs),
  })

/** `allowPrivate`: this machine stands for the internet. */
async function check(
  url: string | undefined,
  { allowPrivate = 'loopback', isTrial = false }: Partial<EgressOptions> & { isTrial?: boolean } = {},
) {
  await using egress = createEgress({
    allowHttp: 'none',
    allowPrivate,
    ca: authority.ca,
    timeoutMs: 3000,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  const [found, ...others] = await checkPublicUrl(url, { egress, now, isTrial }, AbortSignal.timeout(5000))
  expect(others).toEqual([])
  return found
}

test('an address at which Gable responds with a valid certificate is right', async () => {
  expect(await check(await serve(await valid(60)))).toMatchObject({
    check: 'public_url',
    result: 'ok',
    found: expect.stringMatching(/valid for (59|60) more days/),
    action: null,
  })
})

test('a certificate that expires within two weeks is a warning', async () => {
  expect(await check(await serve(await valid(13)))).toMatchObject({
    result: 'warning',
    found: expect.stringMatching(/expires in 1[23] days/),
  })
})

test.for<[what: string, start: () => Promise<string>, found: string]>([
  [
    'an expired certificate',
    async () => serve(await valid(-1)),
    'There is no response: TLS: the certificate has expired.',
  ],
  [
    'a self-signed certificate',
    async () => serve(await selfSigned(host)),
    'There is no response: TLS: the certificate is self-signed.',
  ],
  [
    'a certificate of another host',
    async () => serve(await authority.issue('other.example.com')),
    'There is no response: TLS: the certificate is for another host.',
  ],
  [
    'another program',
    async () => serve(await valid(60), '<h1>Welcome to nginx!</h1>'),
    'Something else than Gable responds (status 200).',
  ],
  [
    'a proxy without a server',
    async () => serve(await valid(60), 'Bad gateway', 502),
    'Something else than Gable responds (status 502).',
  ],
  [
    'a port where nothing listens',
    async () => `https://${host}:1`,
    'There is no response: connection refused.',
  ],
  ['http', async () => `http://${host}`, 'It is not https.'],
])('%s has failed', async ([, start, found]) => {
  const url = await start()
  expect(await check(url)).toMatchObject({
    result: 'failed',
    subject: url,
    found,
    action: expect.any(String),
  })
})

test('an address that is not public has failed, and nothing is sent to it', async () => {
  const url = await serve(await valid(60))
  expect(await check(url, { allowPrivate: 'none' })).toMatchObject({
    result: 'failed',
    found: 'Providers cannot reach it: the address is not public.',
  })
})

test('without PUBLIC_URL, a trial has a warning, and an installation has failed', async () => {
  expect(await check(undefined)).toMatchObject({ result: 'failed', found: 'PUBLIC_URL is not set.' })
  expect(await check(undefined, { isTrial: true })).toMatchObject({ result: 'warning' })
})
