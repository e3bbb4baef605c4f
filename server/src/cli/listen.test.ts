import { once } from 'node:events'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import {
  type AddressInfo,
  type Server,
  type Socket,
  connect,
  createServer as createTcpServer,
} from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { verify } from '@octokit/webhooks-methods'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { type CommandProcess, startCommand } from '#test/support/command-process.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { createProgram } from './program.ts'

// Each listener is a separate process.
vi.setConfig({ testTimeout: 180_000 })

interface Line {
  type: string
  payload: { event: string; data: { event_id: string; id: string } }
  forwarded: { delivery_id: string; status: number | null; failure: string | null } | null
}

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

let databaseUrl: string
let app: TestApp
let workspace: TestWorkspace
let agent: Client
const opened = new AsyncDisposableStack()

/** Starts `gable listen`. Resolves once it listens. */
async function listen(args: string[], url = databaseUrl): Promise<CommandProcess> {
  await using started = new AsyncDisposableStack()
  const listener = started.use(startCommand(['listen', '--workspace', workspace.id, ...args], url))
  await listener.until(() => listener.lines().length > 0)
  started.move()
  return listener
}

/** Starts a local server that responds when `status` resolves. */
async function startReceiver(status: () => number | Promise<number> = () => 204) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await readText(request) })
    response.writeHead(await status()).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(() => void server.close())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` }
}

/** Starts a proxy in front of the database that can go away. */
async function startProxy(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let server: Server | undefined
  const open = async (port = 0) => {
    server = createTcpServer((near) => {
      const far = connect(Number(target.port), target.hostname)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one)
        one.on('error', () => one.destroy()).on('close', () => other.destroy())
        one.pipe(other)
      }
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await open()
  const close = () => {
    server?.close()
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  opened.defer(close)
  const proxied = new URL(url)
  proxied.host = `127.0.0.1:${port}`
  return { url: proxied.href, close, reopen: () => open(port) }
}

const contact = async (name: string) => {
  app.clock.set(new Date())
  return (await agent.post('/contacts', { first_name: name })).body['id'] as string
}

/** Inserts a workspace's events about contacts; each contact has the id of its event. */
const insertEvents = `
  insert into events (workspace_id, id, name, subject_type, subject_id, actor, data, occurred_at)
  select $1, id, 'contact.created', 'contact', id, '{"type": "system", "id": null, "name": "test"}', '{}', now()
  from unnest($2::text[]) as new (id)`

const events = (listener: CommandProcess) => listener.values<Line>().filter(({ type }) => type === 'event')
const subjects = (listener: CommandProcess) => events(listener).map(({ payload }) => payload.data.id)

beforeAll(async () => {
  databaseUrl = await freshDatabase('listen')
  app = opened.use(await testApp({ databaseUrl, now: new Date() }))
})
afterAll(() => opened.disposeAsync())

beforeEach(async () => {
  workspace = await app.workspace()
  agent = await workspace.credential()
})

test('events are forwarded without a webhook and signed like deliveries with the secret of the run', async () => {
  await contact('Before')
  const receiver = await startReceiver()
  await using listener = await listen(['--json', '--forward-to', receiver.url])
  const [{ secret, event_types }] = listener.values<{ secret: string; event_types: string[] }>() as [
    { secret: string; event_types: string[] },
  ]
  expect(event_types).toContain('contact.created')
  const id = await contact('Ada')
  await listener.until(() => events(listener).length === 1)
  const [line] = events(listener)
  expect(line).toMatchObject({
    payload: { event: 'contact.created', tenantId: workspace.id, data: { id } },
    forwarded: { status: 204, ok: true, failure: null, duration_ms: expect.any(Number) },
  })
  const [{ headers, body } = { headers: {}, body: '' }, ...more] = receiver.received
  expect(more).toEqual([])
  expect(JSON.parse(body)).toEqual(line?.payload)
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-webhook-event': 'contact.created',
    'x-webhook-delivery': line?.forwarded?.delivery_id,
    'webhook-id': line?.payload.data.event_id,
  })
  expect(await verify(secret, body, String(headers['x-webhook-signature']))).toBe(true)
  expect(await verify(secret, `${body} `, String(headers['x-webhook-signature']))).toBe(false)
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ data: { id } })
  expect(await listener.end('SIGINT')).toBe(0)
  expect(listener.stderr()).toBe('')
})

test('a failed request is printed and not retried; event types and a secret can be specified', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const before = await contact('Before')
  const args = [
    '--forward-to',
    '127.0.0.1:1',
    '--secret',
    secret,
    '--events',
    'contact.created',
    '--since',
    '5m',
  ]
  await using listener = await listen(args)
  const id = await contact('Ada')
  await agent.patch(`/contacts/${id}`, { stage: 'ACTIVE_CLIENT' })
  await contact('Bo')
  await listener.until(() => listener.lines().length === 5)
  const [listening, forwarding, ...lines] = listener.lines()
  expect(listening).toBe(`Listening to contact.created of workspace ${workspace.id}. Ctrl-C ends it.`)
  expect(forwarding).toBe(`Forwarding to http://127.0.0.1:1, signed with ${secret}`)
  expect(lines[0]).toContain(before)
  expect(lines[1]).toMatch(
    new RegExp(
      `^\\d{4}-\\d\\d-\\d\\dT[\\d:.]{12}Z {2}contact\\.created {2}${id} {2}connection refused, \\d+ ms$`,
    ),
  )
  expect(await listener.end('SIGTERM')).toBe(0)
  expect(listener.stderr()).toBe('')
})

test('an event that commits late is still shown, and each event is shown once', async () => {
  await using listener = await listen(['--json'])
  const slow = new pg.Client({ connectionString: databaseUrl })
  await slow.connect()
  opened.defer(() => slow.end())
  const late = newId(new Date())
  await slow.query('begin')
  await slow.query(insertEvents, [workspace.id, [late]])
  const quick = await contact('Quick')
  await listener.until(() => subjects(listener).includes(quick))
  await slow.query('commit')
  await listener.until(() => subjects(listener).includes(late))
  const last = await contact('Last')
  await listener.until(() => subjects(listener).includes(last))
  expect(subjects(listener)).toEqual([quick, late, last])
})

test('at most eight requests are in flight, and the lines follow the order of the events', async () => {
  const held = Promise.withResolvers<void>()
  let [inFlight, most] = [0, 0]
  const receiver = await startReceiver(async () => {
    const place = receiver.received.length
    most = Math.max(most, ++inFlight)
    await held.promise
    // The first request gets the last response.
    await sleep(10 * (20 - place))
    inFlight--
    return 204
  })
  await using listener = await listen(['--json', '--forward-to', receiver.url])
  const ids = Array.from({ length: 20 }, () => newId(new Date()))
  await asOwner(databaseUrl, insertEvents, [workspace.id, ids])
  await listener.until(() => receiver.received.length === 8)
  await sleep(700)
  expect([receiver.received.length, most, events(listener)]).toEqual([8, 8, []])
  held.resolve()
  await listener.until(() => events(listener).length === 20)
  expect([most, subjects(listener)]).toEqual([8, ids])
})

test('a lost database connection is reported once, and no event is missed', async () => {
  const proxy = await startProxy(databaseUrl)
  await using listener = await listen(['--json'], proxy.url)
  proxy.close()
  await listener.until(() => listener.stderr() !== '')
  const id = await contact('Meanwhile')
  await sleep(1500)
  await proxy.reopen()
  await listener.until(() => subjects(listener).includes(id))
  const codes = listener
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).notice.code)
  expect(codes).toEqual(['database_away', 'database_back'])
  expect(await listener.end('SIGINT')).toBe(0)
})

test.for([
  ['listen --workspace ID --forward-to ftp://localhost/', /argument 'ftp:\/\/localhost\/' is invalid/],
  ['listen --workspace ID --forward-to http://user@localhost/', /is invalid\. The /],
  ['listen --workspace ID --forward-to localhost:3000 --secret hush', /It must be whsec_/],
  ['listen --workspace ID --secret whsec_MDEyMzQ1Njc4OWFiY2RlZg==', /--secret requires --forward-to/],
] as const)('%s is a usage error', async ([command, message]) => {
  await expect(createProgram().parseAsync(command.split(' '), { from: 'user' })).rejects.toThrow(message)
})
