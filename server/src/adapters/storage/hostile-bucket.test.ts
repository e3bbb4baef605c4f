import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { newId } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import { bucketKeys } from './bucket.fixtures.ts'
import { s3StopJournal } from './s3-stop-journal.ts'
import { s3Store } from './s3-store.ts'

type Respond = (response: ServerResponse, request: IncomingMessage) => void

let respond: Respond
const asked: string[] = []
const elsewhere: string[] = []
const server = createServer(async (request, response) => {
  asked.push(`${request.method} ${request.url}`)
  await buffer(request)
  respond(response, request)
})
const other = createServer((request, response) => {
  elsewhere.push(`${request.method} ${request.url}`)
  response.end()
})
const egress = createEgress({ allowHttp: 'all', allowPrivate: 'all', timeoutMs: 1000 })
const bucket = { endpoint: '', region: 'us-east-1', bucket: 'lantern-and-oak', ...bucketKeys }
const portOf = (one: typeof server) => (one.address() as AddressInfo).port
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gable-hostile-bucket-'))
  await Promise.all([server, other].map((one) => once(one.listen(0, '127.0.0.1'), 'listening')))
  bucket.endpoint = `http://127.0.0.1:${portOf(server)}`
})
beforeEach(() => {
  asked.length = 0
  elsewhere.length = 0
})
afterAll(async () => {
  await egress[Symbol.asyncDispose]()
  for (const one of [server, other]) {
    one.close()
    one.closeAllConnections()
  }
  await rm(folder, { recursive: true })
})

const store = () =>
  s3Store(bucket, { egress, clock: systemClock, log: createLog('silent'), waitingFolder: folder })
const place = () => {
  const at = systemClock.now()
  return { workspaceId: newId(at), fileId: newId(at) }
}
const content = () => Readable.from([Buffer.from('content')])
const journal = () => s3StopJournal(bucket, { egress, clock: systemClock }, async () => ['own'])

const drip: (status: number) => Respond = (status) => (response) => {
  response.writeHead(status)
  const timer = setInterval(() => response.write(' '), 50)
  response.once('close', () => clearInterval(timer))
}

test.for([301, 302, 307, 308])('a bucket that leads elsewhere with %i is not followed', async (status) => {
  respond = (response) =>
    response.writeHead(status, { location: `http://127.0.0.1:${portOf(other)}/latest/meta-data` }).end()
  await expect(store().get(place())).rejects.toThrow(`status ${status}`)
  await expect(store().put(place(), content())).rejects.toThrow(`status ${status}`)
  await expect(store().delete(place())).rejects.toThrow(`status ${status}`)
  await expect(store().check()).rejects.toThrow(`status ${status}`)
  expect(elsewhere).toEqual([])
})

test('an error repeats the code alone of what a bucket returns', async () => {
  const { accessKeyId } = bucketKeys
  respond = (response) =>
    response
      .writeHead(403)
      .end(
        `<Error><Code>AccessDenied</Code><Message>${accessKeyId} by Ada Reyes</Message><Code>x</Code></Error>`,
      )
  const error = await store()
    .get(place())
    .catch((error_: unknown) => error_)
  expect(String(error)).toBe('Error: AccessDenied (status 403)')
  respond = (response) => response.writeHead(403).end(`<Code>${'a '.repeat(5000)}</Code>`)
  await expect(store().get(place())).rejects.toThrow(/^status 403$/)
})

test.for([
  ['without an end', 403, 'get'],
  ['without an end', 500, 'put'],
  ['without an end', 200, 'put'],
  ['without an end', 204, 'delete'],
] as const)('a response %s with status %i holds up no %s', async ([, status, method]) => {
  respond = (response) => {
    response.writeHead(status === 204 ? 202 : status)
    const write = () => {
      while (response.write(Buffer.alloc(65_536, 0x20)));
      response.once('drain', write)
    }
    write()
  }
  const called = {
    get: async () => store().get(place()),
    put: async () => store().put(place(), content()),
    delete: async () => store().delete(place()),
  }[method]
  await called().catch(() => undefined)
  expect(asked).toHaveLength(1)
})

test.for([200, 403])('a response of status %i that drips is given up', async (status) => {
  respond = drip(status)
  await store()
    .put(place(), content())
    .catch(() => undefined)
  expect(asked).toHaveLength(1)
})

test.for([
  ['a part as a whole', (response: ServerResponse) => response.writeHead(200).end('0123456789')],
  [
    'another part',
    (response: ServerResponse) => response.writeHead(206, { 'content-range': 'bytes 4-6/10' }).end('456'),
  ],
  [
    'a longer part',
    (response: ServerResponse) => response.writeHead(206, { 'content-range': 'bytes 2-6/10' }).end('23456'),
  ],
] as const)('%s is not what was asked for', async ([, responses]) => {
  respond = responses
  await expect(store().get(place(), { first: 2, last: 4 })).rejects.toThrow('status 20')
})

const listed = (...keys: string[]) =>
  `<ListBucketResult>${keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('')}</ListBucketResult>`

test('a bucket that lists the same objects for ever is an error', async () => {
  respond = (response, { url }) =>
    response.end(url?.includes('list-type') ? listed('gable-stops/own/lines/a') : 'line')
  await expect(Array.fromAsync(journal().all())).rejects.toThrow('lists the same')
  expect(asked.length).toBeLessThan(20)
})

test('what a bucket lists outside of the journal is neither read nor removed', async () => {
  const outside = [
    'another/key',
    'gable-stops/own/lines/../../../other-bucket/secret',
    'gable-stops/own/lines/..',
    'gable-stops/own/lines/a?acl',
    'gable-stops/own/lines/a/b',
  ].toSorted()
  const many = Array.from({ length: 250 }, (_, n) => `gable-stops/own/lines/z${100 + n}`)
  respond = (response, { url = '' }) => {
    const page = url.includes('start-after') ? listed() : listed(...outside, ...many)
    response.end(url.includes('list-type') ? page : 'line')
  }
  expect(await Array.fromAsync(journal().own())).toHaveLength(250)
  const paths = asked.map((line) => line.split(' ')[1] ?? '').filter((path) => !path.includes('list-type'))
  expect(
    paths.filter((path) => !/^\/lantern-and-oak\/gable-stops\/own\/lines\/z\d+(-merged)?$/.test(path)),
  ).toEqual([])
  expect(asked.filter((line) => line.startsWith('DELETE'))).toHaveLength(250)
})
