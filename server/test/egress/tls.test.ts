import { type TlsOptions, createSecureContext } from 'node:tls'
import { beforeAll, expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { Egress, Exchange } from '#kernel/egress/egress.ts'
import { type Certificates, certificateAuthority, selfSigned } from './certificates.ts'
import { nothing, ok, says, shortMs, success } from './outcome.ts'
import { post } from './posting.ts'
import { type Script, startReceiver } from './receiver.ts'

const host = 'hooks.example.com'

let authority: Certificates

beforeAll(async () => void (authority = await certificateAuthority()))

/** Resolves every name to this machine. */
const egressWith = (ca: string | undefined, timeoutMs = 5_000): Egress =>
  createEgress({
    allowHttp: 'loopback',
    allowPrivate: 'loopback',
    timeoutMs,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ...(ca === undefined ? {} : { ca }),
  })

interface Case {
  tls?: () => TlsOptions | Promise<TlsOptions>
  script?: Script
  /** By default `https://hooks.example.com`. */
  url?: string
  /** Trusts only the system's authorities. */
  distrust?: boolean
  timeoutMs?: number
  expected: Partial<Exchange>
}

const year = (full: number) => new Date(Date.UTC(full, 0, 1))
const failed: Partial<Exchange> = { status: null, ok: false, answer: null }
const noTls = {
  ...failed,
  failure: expect.stringMatching(/^TLS: (the port does not support it|the handshake failed)/),
}

const receivers: Record<string, Case> = {
  'has a valid certificate': { tls: () => authority.issue(host), expected: success },
  'is self-signed': {
    tls: () => selfSigned(host),
    expected: nothing('TLS: the certificate is self-signed'),
  },
  'has an unknown authority': {
    tls: () => authority.issue(host),
    distrust: true,
    expected: nothing('TLS: the chain of certificates is incomplete or of an unknown authority'),
  },
  'has an expired certificate': {
    tls: () => authority.issue(host, { notBeforeDate: year(2001), notAfterDate: year(2002) }),
    expected: nothing('TLS: the certificate has expired'),
  },
  'has a certificate that is not valid yet': {
    tls: () => authority.issue(host, { notBeforeDate: year(2101), notAfterDate: year(2102) }),
    expected: nothing('TLS: the certificate is not valid yet'),
  },
  "has another host's certificate": {
    tls: () => authority.issue('hooks.example.net'),
    expected: nothing('TLS: the certificate is for another host'),
  },
  'has a certificate for its name and is called by address': {
    tls: () => authority.issue(host),
    url: 'https://127.0.0.1',
    expected: nothing('TLS: the certificate is for another host'),
  },
  'speaks HTTP on its TLS port': {
    script: ({ say }) => say('HTTP/1.1 400 Bad Request\r\n\r\n'),
    expected: noTls,
  },
  'speaks TLS on its HTTP port': {
    tls: () => authority.issue(host),
    url: 'http://127.0.0.1',
    expected: failed,
  },
  'never finishes the handshake': {
    script: () => {},
    timeoutMs: shortMs,
    expected: nothing('no connection within 0.5 s'),
  },
  'closes within the handshake': {
    script: ({ socket }) => void socket.once('data', () => socket.destroy()).resume(),
    expected: nothing('the connection was reset'),
  },
  'requires a client certificate': {
    tls: async () => ({ ...(await authority.issue(host)), requestCert: true, rejectUnauthorized: true }),
    expected: failed,
  },
  'speaks HTTP/2 only': {
    tls: async () => ({ ...(await authority.issue(host)), ALPNProtocols: ['h2'] }),
    expected: noTls,
  },
  'supports no common version': {
    tls: async () => ({
      ...(await authority.issue(host)),
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL@SECLEVEL=0',
    }),
    expected: noTls,
  },
}

test.for(Object.entries(receivers))('handles a receiver that %s', async ([, one]) => {
  const { tls, script = says(ok()), url = `https://${host}`, distrust = false, expected } = one
  await using receiver = await startReceiver(script, await tls?.())
  await using egress = egressWith(distrust ? undefined : authority.ca, one.timeoutMs)
  const exchange = await post(egress, `${url}:${receiver.port}/`)
  expect(exchange).toMatchObject(expected)
  await egress[Symbol.asyncDispose]()
  await receiver.quiet()
  expect(receiver.requests).toBe(expected.ok === true ? 1 : 0)
})

test('opens a new TLS connection if the receiver closed the last one, and checks its certificate', async () => {
  const valid = await authority.issue(host)
  const certificates = [valid, valid, await selfSigned(host)]
  const script: Script = async ({ asked, socket }) => {
    await asked()
    socket.end(ok('ok', 'connection: close\r\n'))
  }
  await using receiver = await startReceiver(script, {
    SNICallback: (_name, callback) => callback(null, createSecureContext(certificates.shift())),
  })
  await using egress = egressWith(authority.ca)
  const url = `https://${host}:${receiver.port}/`
  expect(await post(egress, url)).toMatchObject(success)
  expect(await post(egress, url)).toMatchObject(success)
  expect(await post(egress, url)).toMatchObject(nothing('TLS: the certificate is self-signed'))
  expect([receiver.connections, receiver.requests, certificates]).toEqual([2, 2, []])
})
