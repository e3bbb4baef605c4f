import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { Egress, Exchange } from '#kernel/egress/egress.ts'
import { startCanary } from './canary.ts'
import { nothing, ok, success } from './outcome.ts'
import { post } from './posting.ts'
import { type Script, startReceiver } from './receiver.ts'

const stopping = 'interrupted: the server is stopping'

const responses: Script = async ({ asked, say, socket }) => {
  socket.once('end', () => socket.end())
  while (!socket.destroyed) {
    await asked()
    say(ok())
  }
}

const toLoopback = () => createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback' })

/** The resources that keep a process alive, except the pipes to the test runner. */
const resources = () =>
  process.getActiveResourcesInfo().filter((one) => /^(TCP|TLS|Timeout|Immediate|GetAddrInfo|Query)/.test(one))

const count = (all: readonly string[], name: string) => all.filter((one) => one === name).length

/** Posts `total` requests, `atATime` concurrently. Counts the callbacks of each one. */
async function postMany(egress: Egress, url: string, total: number, atATime: number) {
  const calls = new Uint8Array(total)
  let begun = 0
  let ended = 0
  await new Promise<void>((resolve) => {
    const next = () => {
      const i = begun++
      egress.post({ url, headers: {}, body: '{}' }, ({ ok: good }) => {
        calls[i] = (calls[i] ?? 0) + (good ? 1 : 100)
        if (++ended === total) resolve()
        else if (begun < total) next()
      })
    }
    for (let i = 0; i < atATime; i++) next()
  })
  return calls
}

test('10,000 posts call back once each and leave no resources open', async () => {
  const before = resources()
  {
    await using receiver = await startReceiver(responses)
    await using egress = toLoopback()
    const calls = await postMany(egress, `http://127.0.0.1:${receiver.port}/`, 10_000, 100)
    expect(calls.every((times) => times === 1)).toBe(true)
    expect(receiver.requests).toBe(10_000)
    expect(receiver.connections).toBeLessThanOrEqual(200)
  }
  // Resources that the test runner had open before may have been closed in the meantime.
  const more = () => resources().filter((one, _i, all) => count(all, one) > count(before, one))
  await expect.poll(more, { timeout: 30_000 }).toEqual([])
})

test('disposing ends running exchanges and calls every callback', async () => {
  await using hanging = await startReceiver(({ asked }) => asked())
  await using deaf = await startReceiver(() => {})
  await using idle = await startReceiver(responses)
  const egress = createEgress({
    allowHttp: 'loopback',
    allowPrivate: 'loopback',
    resolve: () => new Promise(() => {}),
  })
  const calls: Exchange[] = []
  const begin = (url: string) => egress.post({ url, headers: {}, body: '{}' }, (one) => void calls.push(one))
  expect(await post(egress, `http://127.0.0.1:${idle.port}/`)).toMatchObject(success)
  for (let i = 0; i < 10; i++) {
    begin(`http://127.0.0.1:${hanging.port}/`)
    // Neither the TLS handshake nor the name query ever ends.
    begin(`https://127.0.0.1:${deaf.port}/`)
    begin('https://hooks.example.com/')
  }
  await expect.poll(() => hanging.requests, { timeout: 30_000 }).toBe(10)
  await expect.poll(() => deaf.connections, { timeout: 30_000 }).toBe(10)
  await egress[Symbol.asyncDispose]()
  expect(calls).toHaveLength(30)
  for (const call of calls) expect(call).toMatchObject(nothing(stopping))
  // Idle connections are closed too.
  await expect.poll(() => idle.open, { timeout: 30_000 }).toBe(0)
  for (const receiver of [hanging, deaf]) {
    await receiver.quiet()
    expect(receiver.open).toBe(0)
  }
  expect(calls).toHaveLength(30)
  expect(await post(egress, `http://127.0.0.1:${idle.port}/`)).toMatchObject(nothing(stopping))
  expect(idle.requests).toBe(1)
  await egress[Symbol.asyncDispose]()
})

test('a callback may dispose of the egress', async () => {
  await using receiver = await startReceiver(responses)
  const egress = toLoopback()
  const url = `http://127.0.0.1:${receiver.port}/`
  const others = [post(egress, url), post(egress, url)]
  await new Promise<void>((resolve, reject) => {
    egress.post({ url, headers: {}, body: '{}' }, () => {
      egress[Symbol.asyncDispose]().then(resolve, reject)
    })
  })
  expect(await Promise.all(others)).toHaveLength(2)
  await receiver.quiet()
})

test('an exchange that times out while its name is being resolved opens no connection later', async () => {
  await using canary = await startCanary()
  const lookup = Promise.withResolvers<{ address: string; family: 4 }[]>()
  await using egress = createEgress({
    allowHttp: 'loopback',
    allowPrivate: 'loopback',
    timeoutMs: 100,
    resolve: () => lookup.promise,
  })
  const url = `https://hooks.example.com:${canary.port}/`
  expect(await post(egress, url)).toMatchObject(nothing('no connection within 0.1 s'))
  lookup.resolve([{ address: '127.0.0.1', family: 4 }])
  await sleep(50)
  expect(canary.connections).toBe(0)
})

test('posting to a port without a listener fails with connection refused', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  await using egress = toLoopback()
  const port = typeof address === 'object' ? address?.port : undefined
  for (const host of ['127.0.0.1', '[::1]', 'localhost'])
    expect(await post(egress, `http://${host}:${port}/`)).toMatchObject(nothing('connection refused'))
})

test('an invalid header fails the exchange instead of throwing', async () => {
  await using receiver = await startReceiver(responses)
  await using egress = toLoopback()
  const url = `http://127.0.0.1:${receiver.port}/`
  for (const headers of [{ 'x-a': 'a\r\nb: c' }, { 'a b': 'c' }, { 'content-length': '7' }])
    expect(await post(egress, url, { headers })).toMatchObject({ ok: false, status: null })
  expect(await post(egress, url)).toMatchObject(success)
  expect(receiver.requests).toBe(1)
})

test('localhost resolves to loopback without DNS', async () => {
  await using receiver = await startReceiver(responses)
  await using egress = createEgress({
    allowHttp: 'loopback',
    allowPrivate: 'loopback',
    resolve: () => Promise.reject(new Error('not to be asked')),
  })
  for (const host of ['localhost', 'gable.localhost'])
    expect(await post(egress, `http://${host}:${receiver.port}/`)).toMatchObject(success)
})

test('idle connections and the timer do not keep a process alive', async () => {
  await using receiver = await startReceiver(responses)
  const code = `
    const { createEgress } = await import(${JSON.stringify(import.meta.resolve('#kernel/egress/create-egress.ts'))})
    const { parentPort } = await import('node:worker_threads')
    const egress = createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback' })
    const url = 'http://127.0.0.1:${receiver.port}/'
    egress.post({ url, headers: {}, body: '{}' }, ({ ok }) => parentPort.postMessage(ok))`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
  const [[good]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')])
  expect(good).toBe(true)
})
