import { once } from 'node:events'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { verify } from '@octokit/webhooks-methods'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type TestApp, testApp, towardsLoopback } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { gableWith } from '#test/support/gable.ts'
import { createProgram } from '../../cli/program.ts'

type Json = Record<string, unknown>

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

let databaseUrl: string
let app: TestApp
let agent: Client
/** Options that name the workspace of the current test. */
let here: string[]
let origin: string
const received: Received[] = []
const opened = new AsyncDisposableStack()

/** Runs the command line as an operator does, next to the running server. */
const gable = gableWith(() => ({
  DATABASE_URL: databaseUrl,
  WEBHOOK_ALLOW_HTTP: 'loopback',
  WEBHOOK_ALLOW_PRIVATE: 'loopback',
}))
const output: <T = Json>(...args: string[]) => Promise<T> = gable.json
const errorOutput = gable.error

/** Returns 500 below /bad and 204 elsewhere. */
async function startReceiver(): Promise<string> {
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await readText(request) })
    response.writeHead(request.url?.startsWith('/bad') === true ? 500 : 204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.defer(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const next = (event: string) =>
  vi.waitUntil(() => received.find(({ headers }) => headers['x-webhook-event'] === event), {
    timeout: 30_000,
  })

/** Waits until an attempt is recorded. */
const settled = (delivery: string, status: string) =>
  vi.waitUntil(
    async () => {
      const query = "select from webhook_deliveries where id = $1 and status = $2 and attempts <> '[]'"
      return (await asOwner(databaseUrl, query, [delivery, status])).length > 0
    },
    { timeout: 30_000, interval: 50 },
  )

const contractHolds = (secret: string, { headers, body }: Received, name = 'x-webhook-signature') =>
  verify(secret, body, String(headers[name]))
const standardHolds = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

const create = (path: string, ...rest: string[]) =>
  output('webhook', 'create', ...here, '--url', origin + path, ...rest)

beforeAll(async () => {
  databaseUrl = await freshDatabase('webhook_commands')
  app = opened.use(await testApp({ databaseUrl, now: new Date(), role: 'all', egress: towardsLoopback }))
  // The command line uses the current time, so the worker must too.
  const ticking = setInterval(() => app.clock.set(new Date()), 20)
  opened.defer(() => clearInterval(ticking))
  origin = await startReceiver()
})
afterAll(() => opened.disposeAsync())

beforeEach(async () => {
  const workspace = await app.workspace()
  agent = await workspace.credential()
  here = ['--workspace', workspace.id]
  received.length = 0
})

test('the secret shown at creation verifies both signatures, and rotation keeps the previous one', async () => {
  const made = await create('/', '--events', 'contact.created, lead.created', '--description', 'mirror')
  const secret = String(made['secret'])
  expect(made).toMatchObject({ status: 'active', event_types: ['contact.created', 'lead.created'] })
  const [shown, list] = await Promise.all([
    output('webhook', 'show', String(made['id']), ...here),
    gable(['webhook', 'list', ...here]),
    agent.post('/contacts', { first_name: 'Ada', phone: '+13125550123' }),
  ])
  expect({ ...shown, secret }).toEqual(made)
  expect(list.out).toMatch(
    new RegExp(`^ID .*\n${String(made['id'])}  ${origin}/ +active +- +contact\\.created`),
  )
  expect(list.out).not.toContain('whsec_')

  const delivery = await next('contact.created')
  expect(await contractHolds(secret, delivery)).toBe(true)
  expect(standardHolds(secret, delivery)).toMatchObject({ tenantId: here[1], data: { stage: 'LEAD' } })

  const rotated = await output('webhook', 'rotate-secret', String(made['id']), ...here)
  received.length = 0
  await output('trigger', 'lead.created', ...here)
  const after = await next('lead.created')
  expect(await contractHolds(String(rotated['secret']), after)).toBe(true)
  expect(await contractHolds(secret, after)).toBe(false)
  expect(await contractHolds(secret, after, 'x-webhook-signature-previous')).toBe(true)
  expect(standardHolds(secret, after)).toMatchObject({ data: { test: true } })
})

test('a failed delivery can be listed, inspected, resent, and recovered', async () => {
  const id = String((await create('/bad'))['id'])
  const queued = await output('webhook', 'test', id, ...here, '--event', 'deal.stage_changed')
  const delivery = String(queued['id'])
  await next('deal.stage_changed')
  await settled(delivery, 'pending')
  const looked = await output('webhook', 'delivery', id, delivery, ...here)
  expect(looked).toMatchObject({ status: 'pending', attempts: [{ status: 500, failure: 'status 500' }] })
  expect(JSON.parse(String(looked['payload']))).toMatchObject({ data: { event_id: queued['event_id'] } })
  const again = ['webhook', 'redeliver', id, delivery, ...here]
  expect(await errorOutput(...again)).toMatchObject({ code: 1, error: { code: 'delivery_pending' } })

  const fail = () =>
    asOwner(databaseUrl, "update webhook_deliveries set status = 'failed' where id = $1", [delivery])
  await fail()
  const [failed, others, text] = await Promise.all([
    output<Json[]>('webhook', 'deliveries', id, ...here, '--status', 'failed', '--since', '1h'),
    output<Json[]>('webhook', 'deliveries', id, ...here, '--event', 'contact.created'),
    gable(['webhook', 'delivery', id, delivery, ...here]),
    output('webhook', 'update', id, ...here, '--url', `${origin}/good`),
  ])
  expect([failed.map((one) => one['id']), others]).toEqual([[delivery], []])
  expect(text.out).toMatch(
    /Status +failed\n[^]*\nSTARTED +TOOK +STATUS +FAILURE[^]*status 500[^]*\n\n\{"event":/,
  )

  received.length = 0
  expect(await output(...again)).toMatchObject({ id: delivery, status: 'pending', attempt_count: 0 })
  await next('deal.stage_changed')
  await settled(delivery, 'delivered')

  await fail()
  received.length = 0
  const recovered = await output('webhook', 'recover', id, ...here, '--since', '24h')
  expect(recovered).toMatchObject({ webhook_id: id, deliveries: 1 })
  await next('deal.stage_changed')
})

test('testing a paused webhook explains how to resume it; showing a deleted one fails', async () => {
  const id = String((await create('/'))['id'])
  const update = (...rest: string[]) => output('webhook', 'update', id, ...here, ...rest)
  expect(await update('--pause', '--events', 'contact.created')).toMatchObject({
    status: 'paused',
    event_types: ['contact.created'],
  })
  expect(await errorOutput('webhook', 'test', id, ...here)).toMatchObject({
    code: 1,
    error: {
      code: 'webhook_not_active',
      message: expect.stringContaining(`webhook update ${id} ${here.join(' ')} --resume`),
    },
  })
  expect(await update('--resume', '--events', 'all')).toMatchObject({ status: 'active', event_types: [] })
  expect(await output('webhook', 'delete', id, ...here)).toEqual({ id, deleted: true })
  expect(await gable(['webhook', 'show', id, ...here])).toEqual({
    code: 1,
    out: '',
    err: `There is no webhook ${id} in this workspace.\n`,
  })
})

test('event types are listed without a database, and a triggered event has `test: true`', async () => {
  const nowhere = 'postgres://operator@127.0.0.1:1/none'
  await create('/')
  const [text, triggered] = await Promise.all([
    gableWith(() => ({ DATABASE_URL: nowhere }))(['event', 'types']),
    output('trigger', 'document.signed', ...here),
  ])
  expect(text).toMatchObject({ code: 0, err: '' })
  expect(text.out).toMatch(/^contact\.created +contacts:read +A contact was added$/m)
  expect(text.out).not.toContain('note.added')
  expect(triggered).toMatchObject({ event: 'document.signed', data: { test: true } })
  const delivered = JSON.parse((await next('document.signed')).body) as { data: Json }
  expect(delivered.data['event_id']).toBe(triggered['id'])
})

test('errors name the problem and suggest the intended event name', async () => {
  const narrow = (await agent.post('/webhooks', { url: `${origin}/` })).body['id'] as string
  await asOwner(databaseUrl, "update webhooks set scopes = '{contacts:read}' where id = $1", [narrow])
  const outsider = await app.workspace('Elsewhere')
  const [events, event, address, nothing, scope, elsewhere] = await Promise.all([
    gable(['webhook', 'create', ...here, '--url', origin, '--events', 'leed.created deal.stage_changd']),
    errorOutput('trigger', 'contact.creatd', ...here),
    errorOutput('webhook', 'create', ...here, '--url', 'http://10.0.0.7/'),
    errorOutput('webhook', 'update', narrow, ...here),
    errorOutput('webhook', 'test', narrow, ...here, '--event', 'lead.created'),
    errorOutput('webhook', 'delete', narrow, '--workspace', outsider.id),
  ])
  const twoFaults =
    /These fields are invalid: --events\.\n {2}--events: .*lead\.created\?\n {2}--events: .*deal\.stage_changed\?\n$/
  expect(events).toMatchObject({ code: 1, out: '', err: expect.stringMatching(twoFaults) })
  const says = (code: string, message: string) => ({ code, message: expect.stringContaining(message) })
  expect([event, address, nothing, scope, elsewhere]).toMatchObject([
    { code: 1, error: says('validation_failed', 'did you mean contact.created?') },
    { code: 1, error: says('validation_failed', 'url: the address is not public') },
    { code: 2, error: says('usage', 'Name at least one change') },
    { code: 1, error: says('insufficient_scope', 'This webhook lacks the scope leads:read') },
    { code: 1, error: says('not_found', `There is no webhook ${narrow}`) },
  ])
})

test.for([
  ['webhook update W --workspace ID --pause --resume', /cannot be used with/],
  ['webhook recover W --workspace ID --since yesterday', /It must be 90s, 30m, 24h, 7d/],
  ['webhook recover W --workspace ID --since 2026-11-20', /or a time such as/],
  ['webhook recover W --workspace ID', /--since/],
  ['webhook deliveries W --workspace ID --status lost', /Allowed choices are pending, delivered, failed/],
  ['webhook deliveries W --workspace ID --limit 0', /whole number from 1 to 1000/],
  ['webhook create --workspace ID --url U --events ,', /Name at least one event, or use all/],
  ['webhook delivery W --workspace ID', /delivery-id/],
] as const)('%s is a usage error', async ([command, message]) => {
  await expect(createProgram().parseAsync(command.split(' '), { from: 'user' })).rejects.toThrow(message)
})
