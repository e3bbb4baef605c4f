import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type DataDirectory, newDataDirectory } from './data-directory.ts'
import { newDatabase } from './databases.ts'
import { spawnGable, startGable } from './gable-process.ts'
import { holdRequest } from './held-request.ts'
import { newKeys } from './keys.ts'

vi.setConfig({ testTimeout: 180_000 })

/** The cluster is created once: each later start is a restart. */
let data: DataDirectory
beforeAll(async () => void (data = await newDataDirectory({ demo: false })))
afterAll(() => data[Symbol.asyncDispose]())

test.for(['SIGINT', 'SIGTERM'] as const)(
  '%s finishes running requests, stops PostgreSQL, and exits with 0',
  async (signal) => {
    await using gable = await startGable({ DATA_DIR: data.path })
    const key = (await newKeys(await data.databaseUrl(), 1)).next()
    const held = await holdRequest(`${gable.base}/contacts`, key, { last_name: 'In flight' })
    expect(await data.postmaster()).toBeDefined()

    gable.kill(signal)
    await gable.until(() => gable.stderr().includes('"stopping"'))
    const accepts = () =>
      fetch(`${gable.origin}/livez`).then(
        () => true,
        () => false,
      )
    await vi.waitUntil(async () => !(await accepts()), { timeout: 30_000, interval: 10 })
    expect(await held.finish()).toMatchObject({ status: 201, body: { last_name: 'In flight' } })
    const since = performance.now()
    expect(await gable.exit).toEqual({ code: 0, signal: null })
    // Sooner than connections are cut that do not end by themselves.
    expect(performance.now() - since).toBeLessThan(15_000)
    expect(await data.postmaster()).toBeUndefined()
  },
)

test('a second SIGINT exits immediately, even with running requests', async () => {
  const env = await newDatabase('second_signal')
  await using gable = await startGable(env)
  await holdRequest(`${gable.base}/contacts`, (await newKeys(env.DATABASE_URL, 1)).next(), {})
  gable.kill('SIGINT')
  await gable.until(() => gable.stderr().includes('"stopping"'))
  const since = performance.now()
  // One Ctrl-C can arrive twice, from the terminal and from npm, and counts once: repeat it until the process ends.
  const pressing = setInterval(() => gable.kill('SIGINT'), 100)
  expect(await gable.exit).toEqual({ code: 130, signal: null })
  clearInterval(pressing)
  expect(performance.now() - since).toBeLessThan(3000)
})

test('two SIGINTs at the same moment, from the terminal and from npm, count as one', async () => {
  const env = await newDatabase('doubled_signal')
  await using gable = await startGable(env)
  const held = await holdRequest(`${gable.base}/contacts`, (await newKeys(env.DATABASE_URL, 1)).next(), {})
  gable.kill('SIGINT')
  await gable.until(() => gable.stderr().includes('"stopping"'))
  gable.kill('SIGINT')
  expect(await held.finish()).toMatchObject({ status: 201 })
  expect(await gable.exit).toEqual({ code: 0, signal: null })
})

test('connections whose headers are incomplete do not delay a stop; a request whose body is on its way finishes', async () => {
  const env = await newDatabase('half_sent')
  await using gable = await startGable(env)
  const { port } = new URL(gable.origin)
  const halves = await Promise.all(
    ['', 'GET /v1/ping HT', 'GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nAuthorization: tok'].map(
      async (text) => {
        const socket = connect(Number(port), '127.0.0.1')
        socket.on('error', () => undefined)
        await once(socket, 'connect')
        socket.write(text)
        return socket
      },
    ),
  )
  const held = await holdRequest(`${gable.base}/contacts`, (await newKeys(env.DATABASE_URL, 1)).next(), {})
  const closed = Promise.all(halves.map((socket) => once(socket, 'close')))
  const since = performance.now()
  gable.kill('SIGTERM')
  await closed
  expect(await held.finish()).toMatchObject({ status: 201 })
  expect(await gable.exit).toEqual({ code: 0, signal: null })
  // Sooner than connections are cut that do not end by themselves.
  expect(performance.now() - since).toBeLessThan(15_000)
})

test.for(['PostgreSQL started', 'schema migrated'])(
  'SIGTERM after “%s” is logged during the first start stops the server and PostgreSQL',
  async (line) => {
    await using empty = await newDataDirectory()
    await using gable = spawnGable({ DATA_DIR: empty.path })
    await gable.until(() => gable.stderr().includes(line))
    gable.kill('SIGTERM')
    expect(await gable.exit).toEqual({ code: 0, signal: null })
    expect(gable.stdout()).toBe('')
    expect(await empty.postmaster()).toBeUndefined()
  },
)
