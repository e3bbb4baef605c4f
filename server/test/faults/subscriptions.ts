import { expect } from 'vitest'
import { asOwner } from '#test/support/database.ts'
import { modules } from '../../src/modules/index.ts'
import { ask } from './ask.ts'
import type { Arrival, Receiver } from './receiver.ts'

export interface Subscription {
  id: string
  workspaceId: string
  /** Of the receiver. */
  path: string
  scopes: readonly string[]
  eventTypes: readonly string[]
}

let paths = 0

/** Subscribes a new endpoint of the receiver. */
export async function subscribe(
  base: string,
  receiver: Receiver,
  { workspaceId, key, eventTypes = [] }: { workspaceId: string; key: string; eventTypes?: string[] },
): Promise<Subscription> {
  const path = `/endpoint-${++paths}`
  const body = { url: receiver.origin + path, event_types: eventTypes }
  const made = await ask(base, { method: 'POST', path: '/webhooks', key, body })
  expect(made.status).toBe(201)
  receiver.secrets.set(path, made.body['secret'] as string)
  return {
    id: made.body['id'] as string,
    workspaceId,
    path,
    scopes: made.body['scopes'] as string[],
    eventTypes,
  }
}

const scopes = new Map(
  modules.flatMap(({ events = [] }) => events).map(({ name, scope }) => [name, scope] as const),
)

const wants = ({ scopes: held, eventTypes }: Subscription, event: string) => {
  const scope = scopes.get(event) ?? null
  return scope !== null && held.includes(scope) && (eventTypes.length === 0 || eventTypes.includes(event))
}

interface DeliveryRow {
  webhook_id: string
  event_id: string
  id: string
  status: string
  attempt: number
  /** Of each attempt that was heard of, why it failed; null for a success. */
  failures: (string | null)[]
  body: string
}

/** What came of a number of subscriptions, for whoever reads the result. */
export interface Told {
  events: number
  deliveries: number
  arrivals: number
}

/**
 * Every event that was committed has been told to each endpoint that wants it and may see it, and no other: at least
 * once, no more often than attempts were counted, six times at the very most, always in the same bytes and rightly
 * signed; and the log knows all of it as delivered, by one attempt and nothing after it.
 */
export async function expectTold(
  url: string,
  { arrivals }: Receiver,
  subscriptions: readonly Subscription[],
): Promise<Told> {
  expect(arrivals.filter(({ signed }) => !signed)).toEqual([])
  const events = await asOwner<{ id: string; name: string; workspace_id: string }>(
    url,
    'select id, name, workspace_id from events',
  )
  const deliveries = await asOwner<DeliveryRow>(
    url,
    `select d.webhook_id, d.event_id, d.id, d.status, d.attempt, p.body,
       (select jsonb_agg(record->'failure') from jsonb_array_elements(d.attempts) record) as failures
     from webhook_deliveries d join webhook_payloads p using (workspace_id, event_id)`,
  )
  const byPath = Map.groupBy(arrivals, ({ path }) => path)
  const byWebhook = Map.groupBy(deliveries, ({ webhook_id }) => webhook_id)
  for (const subscription of subscriptions) {
    const wanted = events.filter(
      ({ name, workspace_id }) => workspace_id === subscription.workspaceId && wants(subscription, name),
    )
    const came = Map.groupBy(byPath.get(subscription.path) ?? [], ({ eventId }) => eventId)
    const told = byWebhook.get(subscription.id) ?? []
    const ids = wanted.map(({ id }) => id).toSorted()
    expect([...came.keys()].toSorted(), 'events that arrived').toEqual(ids)
    expect(told.map(({ event_id }) => event_id).toSorted(), 'events in the log').toEqual(ids)
    expect(told.flatMap((row) => faultOf(row, came.get(row.event_id) ?? []) ?? [])).toEqual([])
  }
  expect(new Set(arrivals.map(({ path }) => path))).toEqual(
    new Set(subscriptions.filter(({ id }) => byWebhook.has(id)).map(({ path }) => path)),
  )
  return { events: events.length, deliveries: deliveries.length, arrivals: arrivals.length }
}

function faultOf(row: DeliveryRow, came: readonly Arrival[]) {
  const right =
    row.status === 'delivered' &&
    row.failures.indexOf(null) === row.failures.length - 1 &&
    row.failures.length <= row.attempt &&
    came.length <= row.attempt &&
    row.attempt <= 6 &&
    eventIdIn(row.body) === row.event_id &&
    came.every(({ body, deliveryId }) => body === row.body && deliveryId === row.id)
  return right ? undefined : { row, came }
}

const eventIdIn = (body: string) => (JSON.parse(body) as { data: { event_id: string } }).data.event_id
