import { expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { Egress } from '#kernel/egress/egress.ts'
import { closed, noResponse, nothing, ok, success, shortMs } from './outcome.ts'
import { post } from './posting.ts'
import { type Receiver, type Script, startReceiver } from './receiver.ts'

const toLoopback = (options = {}) =>
  createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback', ...options })
const urlOf = ({ port }: Receiver) => `http://127.0.0.1:${port}/`

/** Responds to each request with the next response, and repeats the last one. */
const respondingWith =
  (...responses: string[]): Script =>
  async ({ asked, say, socket }) => {
    socket.once('end', () => socket.end())
    for (let i = 0; !socket.destroyed; i++) {
      await asked()
      say(responses[Math.min(i, responses.length - 1)] ?? '')
    }
  }

/** Posts several requests in sequence. */
async function postTimes(egress: Egress, receiver: Receiver, times: number) {
  const exchanges = []
  for (let i = 0; i < times; i++) exchanges.push(await post(egress, urlOf(receiver)))
  return exchanges
}

test('a connection serves several exchanges in sequence', async () => {
  await using receiver = await startReceiver(
    respondingWith(ok(), 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n', ok()),
  )
  await using egress = toLoopback()
  const statuses = (await postTimes(egress, receiver, 5)).map(({ status }) => status)
  expect(statuses).toEqual([200, 500, 200, 200, 200])
  expect(receiver).toMatchObject({ connections: 1, requests: 5 })
})

test('concurrent exchanges use one connection each', async () => {
  await using receiver = await startReceiver(respondingWith(ok()))
  await using egress = toLoopback()
  for (let round = 0; round < 3; round++) {
    const exchanges = await Promise.all(Array.from({ length: 10 }, () => post(egress, urlOf(receiver))))
    expect(exchanges.every((exchange) => exchange.ok)).toBe(true)
  }
  expect(receiver).toMatchObject({ connections: 10, requests: 30 })
})

test('a connection that was closed while idle is replaced, and nothing is sent twice', async () => {
  const closing: (() => void)[] = []
  await using receiver = await startReceiver(async ({ asked, say, socket }) => {
    await asked()
    say(ok())
    closing.push(() => socket.end())
  })
  await using egress = toLoopback()
  for (let i = 1; i <= 5; i++) {
    expect(await post(egress, urlOf(receiver))).toMatchObject(success)
    // The connection is closing when the next exchange starts.
    closing.pop()?.()
    expect(receiver).toMatchObject({ connections: i, requests: i })
    await new Promise(setImmediate)
  }
})

test('an exchange fails and is not repeated if the receiver closes the connection on a request', async () => {
  await using receiver = await startReceiver(async ({ asked, say, socket }) => {
    await asked()
    say(ok())
    await asked()
    socket.end()
  })
  await using egress = toLoopback()
  expect(await postTimes(egress, receiver, 2)).toMatchObject([success, nothing(closed)])
  expect(receiver).toMatchObject({ connections: 1, requests: 2 })
  expect(await post(egress, urlOf(receiver))).toMatchObject(success)
  expect(receiver).toMatchObject({ connections: 2, requests: 3 })
})

test('an exchange fails and is not repeated if the receiver resets the connection on a request', async () => {
  await using receiver = await startReceiver(async ({ asked, say, socket }) => {
    await asked()
    say(ok())
    await asked()
    socket.resetAndDestroy()
  })
  await using egress = toLoopback()
  expect(await postTimes(egress, receiver, 2)).toMatchObject([success, nothing('the connection was reset')])
  expect(receiver).toMatchObject({ connections: 1, requests: 2 })
})

test('an unsolicited response is not mistaken for the response to the next request', async () => {
  await using receiver = await startReceiver(async ({ asked, say }) => {
    await asked()
    say(ok() + ok('forged'))
  })
  await using egress = toLoopback()
  expect(await postTimes(egress, receiver, 3)).toMatchObject([success, success, success])
})

test.for([
  ['says that it closes', ok('ok', 'connection: close\r\n')],
  ['keeps connections for a moment only', ok('ok', 'connection: keep-alive\r\nkeep-alive: timeout=1\r\n')],
  ['says more than it announced', `${ok()}more`],
  ['responds with HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok'],
] as const)('a connection is not reused if the receiver %s', async ([, response]) => {
  await using receiver = await startReceiver(respondingWith(response))
  await using egress = toLoopback()
  expect(await postTimes(egress, receiver, 3)).toMatchObject([success, success, success])
  expect(receiver).toMatchObject({ connections: 3, requests: 3 })
})

test('a connection with unsent bytes is not reused', async () => {
  await using receiver = await startReceiver(({ say, before, asked }) => {
    if (before === 0) say(ok())
    else return asked().then(() => say(ok()))
  })
  await using egress = toLoopback()
  expect(await post(egress, urlOf(receiver), { body: Buffer.alloc(16_777_216) })).toMatchObject(success)
  expect(await post(egress, urlOf(receiver))).toMatchObject(success)
  expect(receiver.connections).toBe(2)
})

test('a connection whose exchange timed out is not reused', async () => {
  await using receiver = await startReceiver(async ({ before, asked, say }) => {
    await asked()
    if (before > 0) say(ok())
  })
  await using egress = toLoopback({ timeoutMs: shortMs })
  expect(await postTimes(egress, receiver, 2)).toMatchObject([nothing(noResponse), success])
  expect(receiver).toMatchObject({ connections: 2, requests: 2 })
})

test('the egress closes an idle connection', async () => {
  let closedAt = 0
  await using receiver = await startReceiver(async ({ asked, say, socket }) => {
    await asked()
    say(ok('ok', 'connection: keep-alive\r\nkeep-alive: timeout=3\r\n'))
    socket.once('end', () => void (closedAt = performance.now())).resume()
  })
  await using egress = toLoopback()
  const begun = performance.now()
  await post(egress, urlOf(receiver))
  await expect.poll(() => closedAt, { timeout: 30_000 }).toBeGreaterThan(begun)
})

test('at most 1,000 idle connections are kept', async () => {
  await using receiver = await startReceiver(respondingWith(ok()))
  await using egress = toLoopback()
  const exchanges = await Promise.all(Array.from({ length: 1_100 }, () => post(egress, urlOf(receiver))))
  expect(exchanges.every((exchange) => exchange.ok)).toBe(true)
  expect(receiver.connections).toBe(1_100)
  await expect.poll(() => receiver.open, { timeout: 30_000 }).toBeLessThanOrEqual(1_000)
})
