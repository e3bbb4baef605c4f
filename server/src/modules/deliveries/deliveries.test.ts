import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, fingerprint, freshDatabase } from '#test/support/database.ts'
import { failDeliveries, forgetDeliveries, sweepDeliveries } from './jobs.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client
let hook: string

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  workspace = await app.workspace()
  agent = await workspace.credential()
  hook = await subscribe(agent)
})

const subscribe = async (client: Client, event_types: string[] = []): Promise<string> =>
  (await client.post('/webhooks', { url: 'https://hooks.example.com', event_types })).body['id']

interface Shown {
  id: string
  event_id: string
  event: string
}

const list = async (query = '', webhook = hook): Promise<Shown[]> =>
  (await agent.get(`/webhooks/${webhook}/deliveries${query}`)).body['data']

const idsBy = async (query: string) => (await list(query)).map(({ id }) => id)

/** Creates another contact a second later. Returns the delivery of its event. */
async function happen(): Promise<string> {
  app.clock.advance(1000)
  await agent.post('/contacts', { first_name: 'Ada' })
  return (await list('?limit=1'))[0]?.id ?? ''
}

/** Ends a delivery. Only a worker that sends deliveries would do that, and none runs here. */
const end = (id: string, status: 'delivered' | 'failed') =>
  asOwner(app.databaseUrl, 'update webhook_deliveries set status = $2, attempt = 6 where id = $1', [
    id,
    status,
  ])

const notFound = { status: 404, body: { error: { code: 'not_found' } } }
const now = () => app.clock.now().toISOString()

test('a delivery shows its event, webhook, status and next attempt', async () => {
  const id = await happen()
  const [event] = (await agent.get('/events')).body['data']
  const shown = {
    id,
    webhook_id: hook,
    event_id: event.id,
    event: 'contact.created',
    status: 'pending',
    attempt_count: 0,
    last_attempt: null,
    next_attempt_at: now(),
    created_at: now(),
    updated_at: now(),
  }
  expect(await list()).toEqual([shown])
  const { body } = await agent.get(`/webhooks/${hook}/deliveries/${id}`)
  const { id: _, created_at: __, updated_at: ___, ...payload } = event
  expect({ ...body, payload: JSON.parse(body['payload']) }).toEqual({ ...shown, attempts: [], payload })
  await end(id, 'delivered')
  expect(await list()).toMatchObject([{ status: 'delivered', attempt_count: 6, next_attempt_at: null }])
})

test('deliveries are filtered by status, event and time', async () => {
  const [first, second] = [await happen(), await happen()]
  const at = app.clock.now()
  app.clock.advance(1000)
  const { id: tested } = (await agent.post(`/webhooks/${hook}/test`)).body
  await end(first, 'delivered')
  await end(second, 'failed')
  expect(await idsBy('')).toEqual([tested, second, first])
  expect(await idsBy('?status=pending')).toEqual([tested])
  expect(await idsBy('?status=delivered')).toEqual([first])
  expect(await idsBy('?status=failed')).toEqual([second])
  expect(await idsBy('?event=contact.created')).toEqual([second, first])
  expect(await idsBy('?event=webhook.test')).toEqual([tested])
  expect(await idsBy('?event=contact.updated')).toEqual([])
  expect(await idsBy('?event=contact.created&status=failed')).toEqual([second])
  const since = (ms: number) => `?since=${new Date(at.getTime() + ms).toISOString()}`
  expect(await idsBy(since(0))).toEqual([tested, second])
  expect(await idsBy(since(1))).toEqual([tested])
  expect(await idsBy(since(-1000))).toEqual([tested, second, first])
  expect(await idsBy(since(1001))).toEqual([])
  expect(await idsBy('?since=2100-01-01T00:00:00Z')).toEqual([])
  expect(await idsBy('?since=0001-01-01T00:00:00Z')).toHaveLength(3)
  expect(await idsBy(`${since(0)}&status=failed&event=contact.created`)).toEqual([second])
  expect(await list('', await subscribe(agent))).toEqual([])
})

test('a delivery shows every attempt with its result', async () => {
  const id = await happen()
  const attempts = [
    {
      started_at: now(),
      duration_ms: 10_012,
      status: null,
      failure: 'no response within 10 s',
      answer: null,
    },
    { started_at: now(), duration_ms: 12, status: 503, failure: 'status 503', answer: 'Back in a minute.' },
    { started_at: now(), duration_ms: 9, status: 200, failure: null, answer: '' },
  ]
  await asOwner(app.databaseUrl, 'update webhook_deliveries set attempts = $2 where id = $1', [
    id,
    JSON.stringify(attempts),
  ])
  const path = `/webhooks/${hook}/deliveries/${id}`
  const whole = (await agent.get(path)).body
  expect(whole['attempts']).toEqual(attempts)
  const { answer: _, ...lastAttempt } = attempts.at(-1) ?? { answer: '' }
  expect(await list()).toMatchObject([{ last_attempt: lastAttempt }])

  // A credential that may not see the event sees neither the payload nor the responses, which may repeat it.
  const clerk = await workspace.credential('webhooks:manage')
  const hidden = attempts.map((attempt) => ({ ...attempt, answer: null }))
  expect((await clerk.get(path)).body).toEqual({ ...whole, attempts: hidden, payload: null })
  expect((await clerk.get(`${path}?fields=payload`)).body).toEqual({ id, payload: null })
  const reader = await workspace.credential('webhooks:manage', 'contacts:read')
  expect((await reader.get(path)).body).toEqual(whole)
})

test('a finished delivery is resent in a new round', async () => {
  const id = await happen()
  const path = `/webhooks/${hook}/deliveries/${id}`
  const { body: before } = await agent.get(path)
  for (const over of ['failed', 'delivered'] as const) {
    await end(id, over)
    app.clock.advance(1000)
    const { attempts, payload, ...shown } = before
    const again = { ...shown, attempt_count: 0, next_attempt_at: now(), updated_at: now() }
    expect(await agent.post(`${path}/redeliver`)).toMatchObject({ status: 202, body: again })
    expect((await agent.get(path)).body).toEqual({ ...again, attempts, payload })
  }
})

test('a delivery that waits for its next attempt is due at once, and keeps its count; one in flight is a 409', async () => {
  const id = await happen()
  const path = `/webhooks/${hook}/deliveries/${id}`
  const waitUntil = (attempt: number, claimedBy: string | null, until: number) =>
    asOwner(
      app.databaseUrl,
      `update webhook_deliveries
       set attempt = $2, claimed_by = $3, claimed_until = case when $3::text is null then null else $4::timestamptz end, due_at = $4
       where id = $1`,
      [id, attempt, claimedBy, new Date(app.clock.now().getTime() + until)],
    )
  const minute = 60_000
  await waitUntil(5, null, 16 * minute)
  const due = { attempt_count: 5, next_attempt_at: now(), updated_at: now() }
  expect(await agent.post(`${path}/redeliver`)).toMatchObject({ status: 202, body: due })
  expect(await agent.post(`${path}/redeliver`)).toMatchObject({ status: 202, body: due })
  // An attempt is in flight for 15 seconds after its claim, which stores when the next one may begin.
  await waitUntil(5, 'a worker', 16 * minute + 15_000)
  const { body: before } = await agent.get(path)
  const pending = { status: 409, body: { error: { code: 'delivery_pending' } } }
  expect(await agent.post(`${path}/redeliver`)).toMatchObject(pending)
  expect((await agent.get(path)).body).toEqual(before)
  app.clock.advance(15_000)
  const again = { attempt_count: 5, next_attempt_at: now() }
  expect(await agent.post(`${path}/redeliver`)).toMatchObject({ status: 202, body: again })
  // What has used up its attempts starts a new round.
  await waitUntil(6, 'a worker', 0)
  expect(await agent.post(`${path}/redeliver`)).toMatchObject({ status: 202, body: { attempt_count: 0 } })
})

test('eight concurrent resends start one round', async () => {
  const id = await happen()
  await end(id, 'failed')
  const path = `/webhooks/${hook}/deliveries/${id}/redeliver`
  const responses = await Promise.all(Array.from({ length: 8 }, () => agent.post(path)))
  expect(responses.map(({ status, body }) => [status, body['attempt_count']])).toEqual(
    responses.map(() => [202, 0]),
  )
})

test('returns 404 for an unknown delivery or a delivery of another webhook', async () => {
  const id = await happen()
  await end(id, 'failed')
  const other = await subscribe(agent)
  const before = await fingerprint(app.databaseUrl)
  const nothing = newId(app.clock.now())
  for (const path of [
    `${hook}/deliveries/${nothing}`,
    `${other}/deliveries/${id}`,
    `${nothing}/deliveries/${id}`,
  ]) {
    expect(await agent.get(`/webhooks/${path}`)).toMatchObject(notFound)
    expect(await agent.post(`/webhooks/${path}/redeliver`)).toMatchObject(notFound)
  }
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
})

test('a test event is delivered to its webhook only, with `test: true`', async () => {
  await subscribe(agent)
  const { status, body } = await agent.post(`/webhooks/${hook}/test`)
  expect([status, body]).toEqual([202, (await list())[0]])
  const sent = async ({ id }: { id: string }) =>
    JSON.parse((await agent.get(`/webhooks/${hook}/deliveries/${id}`)).body['payload'])
  expect(await sent((await list())[0] ?? { id: '' })).toEqual({
    event: 'webhook.test',
    tenantId: workspace.id,
    occurredAt: now(),
    data: {
      event_id: body['event_id'],
      occurred_at: now(),
      id: hook,
      message: 'This endpoint receives events from Gable.',
      test: true,
    },
  })
  for (const type of [...app.runtime.eventTypes.values()].filter(({ scope }) => scope !== null)) {
    const response = await agent.post(`/webhooks/${hook}/test`, { event_type: type.name })
    expect(response).toMatchObject({ status: 202, body: { event: type.name, status: 'pending' } })
    const { event, data } = await sent(response.body as Shown)
    expect([event, data]).toMatchObject([type.name, { test: true, event_id: response.body['event_id'] }])
    if (type.name !== 'webhook.test') expect(data).toMatchObject(type.example)
  }
  const deliveries = await asOwner(
    app.databaseUrl,
    'select 1 from webhook_deliveries where workspace_id = $1',
    [workspace.id],
  )
  expect(deliveries).toHaveLength((await list('?limit=200')).length)
  expect((await agent.get('/events')).body['data']).toEqual([])
})

test('a test event requires the event’s scope but no subscription to it', async () => {
  const clerk = await workspace.credential('webhooks:manage', 'contacts:read')
  const narrow = await subscribe(clerk, ['contact.created'])
  const send = (event_type: string) => agent.post(`/webhooks/${narrow}/test`, { event_type })
  expect((await send('contact.updated')).status).toBe(202)
  const before = await fingerprint(app.databaseUrl)
  expect(await send('deal.stage_changed')).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_scope', details: [{ path: 'scope', message: 'deals:read' }] } },
  })
  const unknown = { 'contact.create': '; did you mean contact.created?', 'note.added': '', nothing: '' }
  for (const [name, meant] of Object.entries(unknown)) {
    expect(await send(name)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'event_type', message: `"${name}" is not an event${meant}` }] } },
    })
  }
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
})

test('a paused, disabled, or unknown webhook cannot be sent a test event', async () => {
  const inactive = (state: string) => ({
    status: 409,
    body: { error: { code: 'webhook_not_active', message: expect.stringContaining(state) as string } },
  })
  const send = (id: string) => agent.post(`/webhooks/${id}/test`)
  await agent.patch(`/webhooks/${hook}`, { paused: true })
  expect(await send(hook)).toMatchObject(inactive('paused'))
  await asOwner(app.databaseUrl, 'update webhooks set disabled_at = now() where id = $1', [hook])
  expect(await send(hook)).toMatchObject(inactive('disabled'))
  await agent.patch(`/webhooks/${hook}`, { paused: false })
  expect((await send(hook)).status).toBe(202)
  expect(await send(newId(app.clock.now()))).toMatchObject(notFound)
})

test('pending deliveries fail when a webhook is disabled and are dropped when it is deleted', async () => {
  const other = await subscribe(agent)
  const delivered = await happen()
  await end(delivered, 'delivered')
  const waiting = await happen()
  await failDeliveries.handle(workspace.ctx, { webhook_id: hook })
  expect(await list()).toMatchObject([
    { id: waiting, status: 'failed', next_attempt_at: null },
    { id: delivered, status: 'delivered' },
  ])
  await forgetDeliveries.handle(workspace.ctx, { webhook_id: hook })
  expect(await list()).toEqual([])
  expect(await list('?status=pending', other)).toHaveLength(2)
})

test('deliveries and payloads are kept for 30 days', async () => {
  await using aging = await testApp({ databaseUrl: await freshDatabase('deliveries_sweep') })
  const client = await aging.credential()
  const id = await subscribe(client)
  await client.post('/contacts')
  aging.clock.advance(1)
  await client.post('/contacts')
  const left = async () => [
    (await client.get(`/webhooks/${id}/deliveries`)).body['data'].length,
    (await asOwner(aging.databaseUrl, 'select 1 from webhook_payloads')).length,
  ]
  aging.clock.advance(30 * 24 * 3_600_000 - 1)
  await sweepDeliveries.handle(aging.runtime)
  expect(await left()).toEqual([2, 2])
  aging.clock.advance(1)
  await sweepDeliveries.handle(aging.runtime)
  expect(await left()).toEqual([1, 1])
})
