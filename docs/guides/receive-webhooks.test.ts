import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { maxAttempts, retryDelayMs } from '@gable/server/src/modules/deliveries/dispatcher/schedule.ts'
import { triggerExample } from '@gable/server/src/modules/deliveries/public.ts'
import { giveUpMs, maxWebhooks } from '@gable/server/src/modules/webhooks/public.ts'
import { type TestApp, type TestWorkspace, testApp, towardsLoopback } from '@gable/server/test/support/app.ts'
import { asOwner, freshDatabase } from '@gable/server/test/support/database.ts'
import { eventually } from '@gable/server/test/support/eventually.ts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type GuidePage, guidePage } from '../support/guide-page.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

type Json = Record<string, unknown>

type Received = Receiver['received'][number]

let page: GuidePage
let app: TestApp
let databaseUrl: string
let workspace: TestWorkspace
let variables: Record<string, string>
let endpoint: string
/** What came to $ENDPOINT. */
let received: Received[]
const opened = new AsyncDisposableStack()

/** Runs the one request on the page that has this text. Returns its body. */
async function curl(part: string): Promise<Json> {
  const text = await page.curl(part, variables)
  const body = JSON.parse(text) as Json
  if ('error' in body) throw new Error(text)
  return body
}

const next = (event: string) =>
  eventually(() => received.find(({ headers }) => headers['x-webhook-event'] === event) ?? false)

beforeAll(async () => {
  page = opened.use(await guidePage('receive-webhooks'))
  databaseUrl = await freshDatabase('receive_webhooks')
  app = opened.use(await testApp({ databaseUrl, now: new Date(), role: 'all', egress: towardsLoopback }))
  const receiver = opened.use(await startReceiver())
  endpoint = receiver.url
  received = receiver.received
})
afterAll(() => opened.disposeAsync())

beforeEach(async () => {
  workspace = await app.workspace()
  const { key = '' } = await workspace.credential()
  variables = { API: app.base, KEY: key, ENDPOINT: endpoint }
  received.length = 0
})

/** A subscription as the page makes it, and a delivery to it. */
async function subscribe(): Promise<{ secret: string; delivery: Received }> {
  const webhook = await curl('POST $API/webhooks -H')
  variables['WEBHOOK'] = String(webhook['id'])
  const agent = await workspace.credential()
  await agent.post('/contacts', { first_name: 'Ada', phone: '+13125550123' })
  return { secret: String(webhook['secret']), delivery: await next('contact.created') }
}

test('the example response and delivery match the real ones', async () => {
  const webhook = await curl('POST $API/webhooks -H')
  const example = (of: string) => page.blocks.find(({ language }) => language === of)?.text ?? ''
  expect(Object.keys(JSON.parse(example('json')) as Json).toSorted()).toEqual(Object.keys(webhook).toSorted())
  await triggerExample(workspace.ctx, 'contact.stage_changed')
  const { headers, body } = await next('contact.stage_changed')
  const [head = '', shown = ''] = example('http').split('\n\n')
  expect([...head.matchAll(/^([\w-]+): /gm)].map(([, name]) => name)).toEqual(Object.keys(headers))
  const members = (json: string) => {
    const payload = JSON.parse(json) as { data: Json }
    return [Object.keys(payload), Object.keys(payload.data)]
  }
  expect(members(shown)).toEqual(members(body.replace(',"test":true', '')))
})

test('isGenuine accepts only genuine deliveries', async () => {
  const { secret, delivery } = await subscribe()
  type IsGenuine = (rawBody: Buffer, signature: unknown, secret: string) => boolean
  const { isGenuine } = await page.load<{ isGenuine: IsGenuine }>('verify.mjs')
  const raw = Buffer.from(delivery.body)
  const signature = delivery.headers['x-webhook-signature'] ?? ''
  expect(isGenuine(raw, signature, secret)).toBe(true)
  const wrong = [
    isGenuine(Buffer.concat([raw, Buffer.from(' ')]), signature, secret),
    isGenuine(Buffer.from(delivery.body.replace('LEAD', 'PAST')), signature, secret),
    isGenuine(
      raw,
      signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      secret,
    ),
    isGenuine(raw, signature.replace('sha256=', 'sha512='), secret),
    isGenuine(raw, 'é'.repeat(signature.length), secret),
    isGenuine(raw, '', secret),
    isGenuine(raw, undefined, secret),
    isGenuine(raw, signature, `${secret}=`),
  ]
  expect(wrong).toEqual(wrong.map(() => false))
})

test('the library rejects altered and old deliveries', async () => {
  const { secret, delivery } = await subscribe()
  type Verified = (rawBody: string, headers: Received['headers'], secret: string) => Json
  const { verified } = await page.load<{ verified: Verified }>('verify-standard.mjs')
  const { body, headers } = delivery
  expect(verified(body, headers, secret)).toEqual(JSON.parse(body))
  const other = `whsec_${Buffer.alloc(32).toString('base64')}`
  expect(() => verified(`${body} `, headers, secret)).toThrow('No matching signature')
  expect(() => verified(body, headers, other)).toThrow('No matching signature')
  expect(() => verified(body, { ...headers, 'webhook-id': 'another' }, secret)).toThrow(
    'No matching signature',
  )
  vi.useFakeTimers({ toFake: ['Date'], now: app.clock.now().getTime() + 10 * 60_000 })
  try {
    expect(() => verified(body, headers, secret)).toThrow('too old')
    const seconds = String(Math.floor(new Date().getTime() / 1000))
    const renewed = { ...headers, 'webhook-timestamp': seconds }
    expect(() => verified(body, renewed, secret)).toThrow('No matching signature')
  } finally {
    vi.useRealTimers()
  }
})

test('the receiver processes each event once, across a secret rotation, and rejects forgeries', async () => {
  const { secret, delivery } = await subscribe()
  const port = await freePort()
  const child = spawn(process.execPath, [page.fileOf('receiver.mjs')], {
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  opened.defer(() => void child.kill())
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const give = async ({ headers, body }: Received) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
  await eventually(() => give(delivery).catch(() => false))

  const { 'x-webhook-signature': _, ...unsigned } = delivery.headers
  const forged = { ...delivery.headers, 'x-webhook-signature': `sha256=${'0'.repeat(64)}` }
  expect([
    await give(delivery),
    await give({ ...delivery, body: delivery.body.replace('LEAD', 'PAST') }),
    await give({ ...delivery, headers: unsigned }),
    await give({ ...delivery, headers: forged }),
  ]).toEqual([204, 401, 401, 401])
  const { data } = JSON.parse(delivery.body) as { data: Json }
  const line = `contact.created ${String(data['id'])}\n`
  await eventually(() => printed === line)

  const rotated = await curl('/rotate-secret')
  expect(rotated['secret']).not.toBe(secret)
  await triggerExample(workspace.ctx, 'contact.stage_changed')
  const both = await next('contact.stage_changed')
  expect(both.headers).toHaveProperty('x-webhook-signature-previous')
  expect(await give(both)).toBe(204)
  await eventually(() => printed.includes('contact.stage_changed'))
  expect(printed.split(line)).toHaveLength(2)
})

test('failed deliveries are listed, resent and recovered; a webhook is paused, resumed and deleted', async () => {
  await subscribe()
  received.length = 0
  const sent = await curl('/test -H')
  variables['DELIVERY'] = String(sent['id'])
  variables['SINCE'] = new Date(app.clock.now().getTime() - 60_000).toISOString()
  expect(JSON.parse((await next('contact.created')).body)).toMatchObject({ data: { test: true } })
  const look = () => curl('deliveries/$DELIVERY\n')
  const delivered = () => eventually(async () => (await look())['status'] === 'delivered')
  await delivered()
  expect(await look()).toMatchObject({ attempts: [{ status: 204, failure: null }] })
  expect(await curl('deliveries?limit=20')).toMatchObject({ data: [{ id: sent['id'] }, {}] })

  const fail = () =>
    asOwner(databaseUrl, "update webhook_deliveries set status = 'failed' where id = $1", [sent['id']])
  await fail()
  expect(await curl('deliveries?status=failed')).toMatchObject({ data: [{ id: sent['id'] }] })
  received.length = 0
  expect(await curl('/redeliver')).toMatchObject({ id: sent['id'], status: 'pending' })
  await next('contact.created')
  await delivered()
  await fail()
  received.length = 0
  expect(await curl('/recover')).toMatchObject({ deliveries: 1 })
  await next('contact.created')

  expect(await curl('{"paused": true}')).toMatchObject({ status: 'paused' })
  await asOwner(
    databaseUrl,
    'update webhooks set disabled_at = created_at, failing_since = created_at where id = $1',
    [variables['WEBHOOK']],
  )
  expect(await curl('{"paused": false}')).toMatchObject({ status: 'active', disabled_at: null })
  expect(await curl('DELETE')).toEqual({ id: variables['WEBHOOK'], deleted: true })
})

test('catchUp passes every event in order, with a minute of overlap', async () => {
  const other = await app.workspace()
  const { key = '' } = await other.credential()
  interface Options {
    api: string
    key: string
    since: string
    handle: (event: Json) => Promise<void>
  }
  const { catchUp } = await page.load<{ catchUp: (options: Options) => Promise<string> }>('catch-up.mjs')
  const start = app.clock.now()
  const pull = async (since: string) => {
    const ids: unknown[] = []
    const until = await catchUp({ api: app.base, key, since, handle: async ({ id }) => void ids.push(id) })
    return { ids, until }
  }
  const happened: string[] = []
  for (let i = 0; i < 210; i++) happened.push((await triggerExample(other.ctx, 'contact.created')).id)
  const all = await pull(start.toISOString())
  expect(all).toEqual({ ids: happened, until: start.toISOString() })
  app.clock.advance(3 * 60_000)
  const later = await triggerExample(other.ctx, 'lead.created')
  const again = await pull(all.until)
  expect(again.ids).toEqual([...happened, later.id])
  expect(Date.parse(again.until)).toBe(app.clock.now().getTime() - 60_000)
  expect((await pull(again.until)).ids).toEqual([later.id])
})

test('the numbers in the guide match the program', () => {
  const text = page.prose
  const minutes = Array.from({ length: maxAttempts - 1 }, (_, i) => (retryDelayMs(i + 1) ?? 0) / 60_000)
  expect(text).toContain(`${new Intl.ListFormat('en-GB').format(minutes.map(String))} minutes after`)
  expect([maxAttempts, giveUpMs / 86_400_000]).toEqual([6, 5])
  expect(text).toContain('six attempts in all')
  expect(text).toContain('every attempt fails for five days')
  expect(text).toContain(`at most ${maxWebhooks} webhooks`)
})

test('every script and request in the guide was run', () => {
  expect(page.notRun()).toEqual([])
  const assigned = [...(page.blocks[0]?.text ?? '').matchAll(/^([A-Z]+)=/gm)].map(([, name]) => name)
  expect(assigned).toEqual(['API', 'KEY', 'ENDPOINT'])
  // e2e/sdk compiles the TypeScript.
  const others = page.blocks.filter(
    (block) => block.language !== 'ts' && ![...page.toRun, page.blocks[0]].includes(block),
  )
  expect(others.map(({ language, text }) => [language, text.split(' ')[0]])).toEqual([
    ['json', '{'],
    ['http', 'POST'],
    ['sh', 'npm'],
  ])
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
