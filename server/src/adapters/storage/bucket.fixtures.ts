import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import S3rver from 's3rver'

/** The keys that the bucket accepts. */
export const bucketKeys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/**
 * A bucket on this machine, in a folder. s3rver implements the protocol but doesn't verify version 4 signatures, so
 * unsigned requests are rejected before they reach it.
 */
export async function startBucket(directory: string, name: string) {
  const s3rver = new S3rver({ silent: true, directory, configureBuckets: [{ name, configs: [] }] })
  await s3rver.configureBuckets()
  const serve = s3rver.callback()
  const server = createServer((request, response) => {
    if (isSigned(request)) return serve(request, response)
    const error = '<Error><Code>SignatureDoesNotMatch</Code></Error>'
    request.resume().once('end', () => response.writeHead(403).end(error))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Verifies AWS Signature Version 4, as documented. */
function isSigned({ method, url = '', headers }: IncomingMessage): boolean {
  const [, scope = '', names = '', signature] =
    /Credential=[^/]+\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(headers.authorization ?? '') ?? []
  const [date = '', region = '', service = ''] = scope.split('/')
  const lines = names.split(';').map((one) => `${one}:${String(headers[one])}\n`)
  const [path, query = ''] = url.split('?')
  const sorted = [...new URLSearchParams(query)]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join('&')
  const canonical = [method, path, sorted, lines.join(''), names, headers['x-amz-content-sha256']].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n')
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${bucketKeys.secretAccessKey}`,
  )
  return (
    ['host', 'x-amz-content-sha256', 'x-amz-date'].every((one) => names.split(';').includes(one)) &&
    hmac(key, text).toString('hex') === signature
  )
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
