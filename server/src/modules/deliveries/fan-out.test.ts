import { afterAll, beforeAll, expect, test } from 'vitest'
import { isId } from '#kernel/ids.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, fingerprint } from '#test/support/database.ts'
import { ContactStageChanged } from '../contacts/events.ts'
import { lockContact } from '../contacts/public.ts'
import { disableWebhook } from '../webhooks/public.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const inNewWorkspace = async () => {
  workspace = await app.workspace()
  agent = await workspace.credential()
}

const subscribe = async (client: Client, event_types: string[] = []): Promise<string> =>
  (await client.post('/webhooks', { url: 'https://hooks.example.com', event_types })).body['id']

interface Row {
  id: string
  webhook_id: string
  event_id: string
  event: string
  scope: string
  status: string
  body: string
}

/** The workspace's deliveries with their payloads, in the order of their ids. */
const deliveriesOf = ({ id }: TestWorkspace) =>
  asOwner<Row>(
    app.databaseUrl,
    'select * from webhook_deliveries join webhook_payloads using (workspace_id, event_id) where workspace_id = $1 order by id',
    [id],
  )

/** The names of the events delivered to a webhook, in order. */
const eventsFor = async (webhook: string) =>
  (await deliveriesOf(workspace)).filter((row) => row.webhook_id === webhook).map(({ event }) => event)

test('a change, its event, its deliveries, and one shared payload are written in one transaction', async () => {
  await inNewWorkspace()
  const hooks = [await subscribe(agent), await subscribe(agent), await subscribe(agent)]
  const { id } = (await agent.post('/contacts', { first_name: 'Ada' })).body
  const rows = await asOwner(
    app.databaseUrl,
    `select 'contact' as row, xmin from contacts where workspace_id = $1 and id = $2
     union all select 'event', xmin from events where workspace_id = $1 and timeline_id is not null
     union all select 'delivery', xmin from webhook_deliveries where workspace_id = $1
     union all select 'payload', xmin from webhook_payloads where workspace_id = $1`,
    [workspace.id, id],
  )
  expect(rows.map(({ row }) => row).sort()).toEqual(
    ['contact', 'delivery', 'delivery', 'delivery', 'event', 'payload'].sort(),
  )
  expect(new Set(rows.map(({ xmin }) => xmin)).size).toBe(1)

  const [event] = (await agent.get('/events')).body['data']
  const deliveries = await asOwner(
    app.databaseUrl,
    'select * from webhook_deliveries where workspace_id = $1 order by webhook_id',
    [workspace.id],
  )
  const at = app.clock.now()
  expect(deliveries).toEqual(
    hooks.map((webhook_id) => ({
      workspace_id: workspace.id,
      webhook_id,
      id: expect.toSatisfy(isId),
      event_id: event.id,
      event: 'contact.created',
      scope: 'contacts:read',
      status: 'pending',
      attempt: 0,
      due_at: at,
      claimed_by: null,
      claimed_until: null,
      attempts: [],
      created_at: at,
      updated_at: at,
    })),
  )
})

test('a rolled-back change has no deliveries', async () => {
  await inNewWorkspace()
  await subscribe(agent)
  const { id } = (await agent.post('/contacts')).body
  const before = await fingerprint(app.databaseUrl)
  const change = workspace.ctx.transaction(async (tx) => {
    await lockContact(tx, id)
    await tx.emit(ContactStageChanged, { id, from: 'LEAD', to: 'SPHERE' })
    await tx.flush()
    throw new Error('Undone.')
  })
  await expect(change).rejects.toThrow('Undone.')
  expect((await agent.patch(`/contacts/${id}`, { stage: 'SPHERE', owner_id: 'no-such-member' })).status).toBe(
    404,
  )
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
})

test('a webhook gets only public events that it subscribes to and has scopes for', async () => {
  await inNewWorkspace()
  const reader = await workspace.credential('webhooks:manage', 'contacts:read')
  const writer = await workspace.credential('webhooks:manage', 'contacts:write')
  const dealer = await workspace.credential('webhooks:manage', 'deals:read', 'events:read')
  const hooks = {
    all: await subscribe(agent),
    reader: await subscribe(reader),
    writer: await subscribe(writer),
    dealer: await subscribe(dealer),
    stages: await subscribe(agent, ['contact.stage_changed']),
    tagsAndDeals: await subscribe(agent, ['contact.tag_added', 'deal.stage_changed']),
    calls: await subscribe(agent, ['call.completed']),
  }
  const { id } = (await agent.post('/contacts', { first_name: 'Ada' })).body
  await agent.patch(`/contacts/${id}`, { last_name: 'Reyes', stage: 'SPHERE', tags: ['a', 'b'] })
  await agent.post(`/contacts/${id}/notes`, { body: 'A note' })
  await agent.delete(`/webhooks/${await subscribe(agent, ['call.completed'])}`)
  await agent.delete(`/contacts/${id}`)
  const all = [
    'contact.created',
    'contact.stage_changed',
    'contact.tag_added',
    'contact.tag_added',
    'contact.updated',
  ]
  expect(await eventsFor(hooks.all)).toEqual(all)
  expect(await eventsFor(hooks.reader)).toEqual(all)
  expect(await eventsFor(hooks.writer)).toEqual(all)
  expect(await eventsFor(hooks.dealer)).toEqual([])
  expect(await eventsFor(hooks.stages)).toEqual(['contact.stage_changed'])
  expect(await eventsFor(hooks.tagsAndDeals)).toEqual(['contact.tag_added', 'contact.tag_added'])
  expect(await eventsFor(hooks.calls)).toEqual([])
})

test('an event without subscribers leaves no payload', async () => {
  await inNewWorkspace()
  await subscribe(agent, ['call.completed'])
  await agent.post('/contacts')
  expect(
    await asOwner(app.databaseUrl, 'select 1 from webhook_payloads where workspace_id = $1', [workspace.id]),
  ).toEqual([])
})

test('webhooks of another workspace get no deliveries', async () => {
  await inNewWorkspace()
  const other = await app.workspace()
  await subscribe(await other.credential())
  await subscribe(agent)
  await agent.post('/contacts')
  expect(await deliveriesOf(workspace)).toHaveLength(1)
  expect(await deliveriesOf(other)).toEqual([])
})

test('deliveries stay pending for a paused webhook, fail for a disabled one, and skip a deleted one', async () => {
  await inNewWorkspace()
  const [active, paused, disabled, removed] = [
    await subscribe(agent),
    await subscribe(agent),
    await subscribe(agent),
    await subscribe(agent),
  ]
  await agent.patch(`/webhooks/${paused}`, { paused: true })
  await asOwner(
    app.databaseUrl,
    'update webhooks set disabled_at = now(), failing_since = now() where id = $1',
    [disabled],
  )
  await agent.delete(`/webhooks/${removed}`)
  await agent.post('/contacts')
  const status = (await deliveriesOf(workspace)).map((row) => [row.webhook_id, row.status])
  expect(Object.fromEntries(status)).toEqual({
    [active]: 'pending',
    [paused]: 'pending',
    [disabled]: 'failed',
  })
})

test('the payload follows the contract and masks phone numbers and email addresses', async () => {
  await inNewWorkspace()
  const seer = await workspace.credential('webhooks:manage', 'contacts:read:pii', 'contacts:write')
  await subscribe(seer)
  const contact = { first_name: 'Ada', phone: '+13125550123', email: 'ada@reyes.example', tags: ['buyer'] }
  const { id, phone } = (await seer.post('/contacts', contact)).body
  expect(phone).toBe(contact.phone)
  const createdAt = app.clock.now().toISOString()
  app.clock.advance(1500)
  await seer.patch(`/contacts/${id}`, { phone: '(312) 555-0199', email: null })
  const [created, updated] = await deliveriesOf(workspace)
  const shown = {
    first_name: 'Ada',
    last_name: null,
    address: null,
    timezone: null,
    source: null,
    tags: ['buyer'],
    external_ids: [],
  }
  expect(JSON.parse(created?.body ?? '')).toEqual({
    event: 'contact.created',
    tenantId: workspace.id,
    occurredAt: createdAt,
    data: {
      event_id: created?.event_id,
      occurred_at: createdAt,
      id,
      stage: 'LEAD',
      owner_id: null,
      contact: {
        ...shown,
        phone: '+1******0123',
        phone_e164: '+1******0123',
        phone_extension: null,
        email: 'a***@reyes.example',
      },
    },
  })
  expect(JSON.parse(updated?.body ?? '')).toMatchObject({
    event: 'contact.updated',
    occurredAt: app.clock.now().toISOString(),
    data: {
      event_id: updated?.event_id,
      id,
      changes: [
        { field: 'email', from: 'a***@reyes.example', to: null },
        { field: 'phone', from: '+1******0123', to: '******0199' },
      ],
    },
  })
})

test('delivery ids sort in the order of their events', async () => {
  await inNewWorkspace()
  const hooks = [await subscribe(agent), await subscribe(agent)]
  // Some within the same millisecond, some later.
  for (let i = 0; i < 10; i++) {
    const { id } = (await agent.post('/contacts')).body
    await agent.patch(`/contacts/${id}`, { stage: 'SPHERE', tags: ['a', 'b', 'c'], notes: 'A note' })
    if (i % 3 === 0) app.clock.advance(i)
  }
  const rows = await deliveriesOf(workspace)
  const events = (await agent.get('/events?limit=200')).body['data'].toReversed()
  expect(events).toHaveLength(60)
  const ids = rows.map(({ id }) => id)
  expect(new Set([...ids, ...rows.map(({ event_id }) => event_id)]).size).toBe(180)
  for (const id of ids) expect(id).toSatisfy(isId)
  for (const hook of hooks) {
    const delivered = rows.filter((row) => row.webhook_id === hook).map((row) => row.event_id)
    expect(delivered).toEqual(events.map((event: { id: string }) => event.id))
  }
})

test('webhook.disabled is queued for other subscribed webhooks and fails for the disabled one', async () => {
  await inNewWorkspace()
  const [hopeless, other] = [await subscribe(agent), await subscribe(agent)]
  const deaf = await subscribe(await workspace.credential('webhooks:manage'), ['webhook.test'])
  const failing_since = new Date(app.clock.now().getTime() - 5 * 24 * 3_600_000).toISOString()
  expect(await disableWebhook(workspace.ctx, hopeless)).toBe(false)
  await asOwner(app.databaseUrl, 'update webhooks set failing_since = $2 where id = $1', [
    hopeless,
    failing_since,
  ])
  expect(await disableWebhook(workspace.ctx, hopeless)).toBe(true)
  expect(await disableWebhook(workspace.ctx, hopeless)).toBe(false)
  const rows = await deliveriesOf(workspace)
  expect(Object.fromEntries(rows.map((row) => [row.webhook_id, [row.event, row.status]]))).toEqual({
    [hopeless]: ['webhook.disabled', 'failed'],
    [other]: ['webhook.disabled', 'pending'],
  })
  expect(rows.map((row) => row.webhook_id)).not.toContain(deaf)
  expect(JSON.parse(rows[0]?.body ?? '').data).toMatchObject({
    id: hopeless,
    url: 'https://hooks.example.com',
    failing_since,
    reason: `Every attempt since ${failing_since} has failed.`,
  })
})
