import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { EgressOptions, Reply } from '#kernel/egress/egress.ts'
import { chunked, closed, endless, noResponse, ok, says, shortMs } from './outcome.ts'
import { type Script, startReceiver } from './receiver.ts'

const local = { allowHttp: 'loopback', allowPrivate: 'loopback' } as const

/** Sends one request to a receiver with this script. */
async function sendTo(
  script: Script,
  options: Partial<EgressOptions> = {},
  { scheme = 'http', ...more }: { scheme?: string; maxBytes?: number } = {},
): Promise<Reply> {
  await using receiver = await startReceiver(script)
  await using egress = createEgress({ ...local, timeoutMs: 5_000, ...options })
  return await egress.send({
    method: 'POST',
    url: `${scheme}://127.0.0.1:${receiver.port}/`,
    headers: {},
    body: 'a=b',
    startMs: 300,
    ...more,
  })
}

const whole = 'x'.repeat(500_000)

test.for<[what: string, script: Script, expected: Partial<Reply>, options?: Partial<EgressOptions>]>([
  ['responds', says(ok()), { status: 200, failure: null, body: Buffer.from('ok') }],
  ['responds at length', says(ok(whole)), { status: 200, body: Buffer.from(whole) }],
  ['responds in pieces', says(`${chunked}2\r\no`, 'k\r\n0\r\n\r\n'), { body: Buffer.from('ok') }],
  ['rejects', says('HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n'), { status: 404, failure: null }],
  [
    'sends headers',
    says(ok('', 'Retry-After: 7\r\n')),
    { headers: expect.objectContaining({ 'retry-after': '7' }) },
  ],
  ['responds without end', says(ok('x'.repeat(600_000))), { status: null, failure: endless }],
  ['hangs', ({ asked }) => asked(), { status: null, failure: noResponse }, { timeoutMs: shortMs }],
  [
    'hangs within the body',
    says('HTTP/1.1 201 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    { status: null, failure: noResponse },
    { timeoutMs: shortMs },
  ],
  [
    'closes within the body',
    async ({ asked, socket }) => {
      await asked()
      socket.end('HTTP/1.1 201 OK\r\ncontent-length: 10\r\n\r\nhalf')
    },
    { status: null, failure: closed },
  ],
  [
    'resets',
    async ({ asked, socket }) => {
      await asked()
      socket.resetAndDestroy()
    },
    { status: null, failure: 'the connection was reset' },
  ],
  [
    'does not start to respond for longer than sending may take to begin',
    async ({ asked, say }) => {
      await asked()
      await sleep(600)
      say(ok())
    },
    { status: 200 },
  ],
])('reports the request as sent to a receiver that %s', async ([, script, expected, options]) => {
  expect(await sendTo(script, options)).toMatchObject({ ...expected, sent: true })
})

test('does not send a request that cannot start in time, even if a connection opens later', async () => {
  let requests = 0
  await using receiver = await startReceiver(async ({ asked }) => {
    await asked()
    requests += 1
  })
  const { promise: resolved, resolve } = Promise.withResolvers<{ address: string; family: 4 }[]>()
  await using egress = createEgress({ allowHttp: 'all', allowPrivate: 'all', resolve: () => resolved })
  const url = `http://carrier.example.com:${receiver.port}/`
  const reply = await egress.send({ method: 'GET', url, headers: {}, startMs: 50 })
  expect(reply).toMatchObject({ status: null, sent: false, failure: 'no connection within 0.05 s' })
  resolve([{ address: '127.0.0.1', family: 4 }])
  await sleep(100)
  expect(requests).toBe(0)
})

test('reports the request as not sent if the TLS handshake does not finish', async () => {
  expect(await sendTo(() => {}, {}, { scheme: 'https' })).toMatchObject({
    sent: false,
    failure: 'no connection within 0.3 s',
  })
})

test('reports the request as not sent if no connection opens', async () => {
  const receiver = await startReceiver(() => {})
  const { port } = receiver
  await receiver[Symbol.asyncDispose]()
  await using egress = createEgress(local)
  const send = (url: string) => egress.send({ method: 'POST', url, headers: {}, body: 'a', startMs: 1_000 })
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
    status: null,
    sent: false,
    failure: 'connection refused',
  })
  expect(await send('http://10.0.0.1/')).toMatchObject({ status: null, sent: false })
  await egress[Symbol.asyncDispose]()
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, sent: false })
})

test('reuses an open connection for the next request', async () => {
  await using receiver = await startReceiver(async ({ asked, say, socket }) => {
    while (!socket.destroyed) {
      await asked()
      say(ok())
    }
  })
  await using egress = createEgress(local)
  for (let i = 0; i < 3; i++) {
    const reply = await egress.send({
      method: 'POST',
      url: `http://127.0.0.1:${receiver.port}/`,
      headers: {},
      body: String(i),
      startMs: 1_000,
    })
    expect(reply).toMatchObject({ status: 200, sent: true })
  }
  expect(receiver.connections).toBe(1)
})

test.for<[length: number, failure: string | null]>([
  [2_000_000, null],
  [2_100_001, endless],
])('applies the size limit of the request to a response of %i bytes', async ([length, failure]) => {
  const reply = await sendTo(says(ok('x'.repeat(length))), {}, { maxBytes: 2_100_000 })
  expect(reply.failure).toBe(failure)
  if (failure === null) expect(reply.body).toHaveLength(length)
})
