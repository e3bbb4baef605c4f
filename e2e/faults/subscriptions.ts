import { modules } from '@gable/server/src/modules/index.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { expect } from 'vitest'
import { ask } from './ask.ts'
import type { Arrival, Receiver } from './receiver.ts'

export interface Subscription {
  id: string
  workspaceId: string
  /** The receiver's endpoint. */
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
  /** Why each logged attempt failed; null for a success. */
  failures: (string | null)[]
  body: string
}

/** Totals of several subscriptions, for the report. */
export interface DeliveryTotals {
  events: number
  deliveries: number
  arrivals: number
}

/**
 * Checks that every committed event was delivered to each endpoint that subscribes to it and may see it, and to no other:
 * at least once, not more often than attempts were counted, at most six times, always with the same bytes and a valid
 * signature; and that the log has each as delivered by its last attempt.
 */
export async function expectDelivered(
  url: string,
  { arrivals }: Receiver,
  subscriptions: readonly Subscription[],
): Promise<DeliveryTotals> {
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
    const received = byWebhook.get(subscription.id) ?? []
    const ids = wanted.map(({ id }) => id).toSorted()
    expect([...came.keys()].toSorted(), 'events that arrived').toEqual(ids)
    expect(received.map(({ event_id }) => event_id).toSorted(), 'events in the log').toEqual(ids)
    expect(received.flatMap((row) => faultOf(row, came.get(row.event_id) ?? []) ?? [])).toEqual([])
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
