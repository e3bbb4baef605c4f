import { Type } from 'typebox'
import type { Clock } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { sharedNow } from '#kernel/db/shared-now.ts'
import { type Slice, newestOfSlice } from '#kernel/db/slice.ts'
import { type Sql, empty, raw, sql } from '#kernel/db/sql.ts'
import type { EventTypes } from '#kernel/events/event.ts'
import { personalMembers } from '#kernel/events/journal.ts'
import type { Page } from '#kernel/http/paging.ts'
import { nullable } from '#kernel/schemas.ts'
import { unmaskingScope } from '../access/public.ts'
import {
  AttemptRow,
  type DeliveryFilters,
  LastAttemptRow,
  deliveryFilters,
  deliveryRecord,
} from './delivery.ts'
import { deliveryWorkers, isClaimOver } from './dispatcher/queue-queries.ts'
import { maxAttempts, retryDelaysMs } from './dispatcher/schedule.ts'

const { columns: recordColumns, Row: RecordRow } = deliveryRecord
const summaryColumns = sql`${recordColumns}, (attempts -> -1) - 'answer' as last_attempt`
const DeliverySummaryRow = Type.Intersect([
  RecordRow,
  Type.Object({ last_attempt: nullable(LastAttemptRow) }),
])
const columns = sql`${summaryColumns}, attempts`

const LoggedRow = Type.Intersect([DeliverySummaryRow, Type.Object({ attempts: Type.Array(AttemptRow) })])

/**
 * The id of a delivery is derived from its event and webhook. It sorts like the event's id, is unique, and can be
 * computed, so no extra index is needed to find the delivery.
 */
const sharedLength = 14
const deliveryId = (eventId: Sql, webhookId: Sql) =>
  sql`left(${eventId}, ${raw(String(sharedLength))}) || left(encode(sha256(convert_to(${eventId} || ${webhookId}, 'UTF8')), 'hex'), 11)`

/** An event in the form in which it is delivered. */
export interface EventPayload {
  event: string
  scope: string
  eventId: string
  /** When the event occurred. Its deliveries are due from then on. */
  at: string
  body: string
  /** The webhooks of this app receive the event only if they have contacts:read:pii. */
  hiddenFrom?: string | null
  /** Who caused the event. The webhooks of a key that sees only what it created receive no other events. */
  causedBy?: string | null
  /** `app_id` in the event's data, if the event has one. No other app receives the event. */
  appId?: string | null
}

/** The log of deliveries has the machine's times, as the attempts do. */
const due = (tx: Tx, at: string) => tx.clock.due(new Date(at))

/**
 * Writes a delivery for every webhook that subscribes to the event and has its scope, and writes the payload once. For
 * a disabled webhook, the delivery is written as failed, so that it can be recovered. For a paused one, it waits.
 */
export const fanOut = (
  tx: Tx,
  { event, scope, eventId, at, body, appId, hiddenFrom = null, causedBy = null }: EventPayload,
) =>
  tx.write`
    with published as (select ${eventId}::text as id),
    fanned as (
      insert into webhook_deliveries
        (workspace_id, webhook_id, id, event_id, event, scope, status, attempt, due_at, attempts, created_at, updated_at)
      select workspace_id, webhooks.id, ${deliveryId(sql`published.id`, sql`webhooks.id`)}, published.id, ${event}, ${scope},
        case when disabled_at is null then 'pending' else 'failed' end, 0, ${due(tx, at)}, '[]', ${due(tx, at)}, ${due(tx, at)}
      from webhooks, published
      where workspace_id = ${tx.workspaceId} and ${scope} = any (scopes)
        and (event_types = '{}' or ${event} = any (event_types))
        ${appId === undefined ? empty : sql`and (app_id is null or app_id = ${appId})`}
        and (created_by is null or (created_by = ${causedBy} and created_by is distinct from ${hiddenFrom}))
        ${hiddenFrom === null ? empty : sql`and (app_id is distinct from ${hiddenFrom} or ${unmaskingScope} = any (scopes))`}
      returning 1
    ), counted as materialized (
      select count(*) as count, case when count(*) > 0 then ${deliveryWorkers.wake} end from fanned
    )
    insert into webhook_payloads (workspace_id, event_id, body)
    select ${tx.workspaceId}, ${eventId}, ${body} from counted where count > 0`

/** Wakes an idle worker once the transaction commits, because deliveries that waited may be sent again. */
export const wakeDeliveryWorkers = (tx: WorkspaceTx): void => tx.write`select ${deliveryWorkers.wake}`

/** Makes what waits due earlier by so many milliseconds; what is in flight stays so. */
export const bringDeliveriesForward = (tx: Tx, ms: number): void => {
  tx.write`select ${deliveryWorkers.wake}`
  tx.write`
    update webhook_deliveries set due_at = due_at - ${ms} * interval '1 millisecond'
    where workspace_id = ${tx.workspaceId} and status = 'pending' and claimed_by is null`
}

/** Writes a delivery for one webhook, even if it does not subscribe to the event. */
export function enqueueDelivery(
  tx: Tx,
  webhookId: string,
  { event, scope, eventId, at, body }: EventPayload,
) {
  tx.write`select ${deliveryWorkers.wake}`
  return tx.one(LoggedRow)`
    with payload as (
      insert into webhook_payloads (workspace_id, event_id, body) values (${tx.workspaceId}, ${eventId}, ${body})
    )
    insert into webhook_deliveries
      (workspace_id, webhook_id, id, event_id, event, scope, status, attempt, due_at, attempts, created_at, updated_at)
    values (${tx.workspaceId}, ${webhookId}, ${deliveryId(sql`${eventId}::text`, sql`${webhookId}::text`)}, ${eventId},
      ${event}, ${scope}, 'pending', 0, ${due(tx, at)}, '[]', ${due(tx, at)}, ${due(tx, at)})
    returning ${columns}`
}

/** Newest first. Returns only ids at or above `from`. */
export const listDeliveries = (
  db: Db,
  webhookId: string,
  query: DeliveryFilters,
  from: string,
  page: Slice,
) =>
  db.many(DeliverySummaryRow)`
  select ${summaryColumns} from webhook_deliveries
  where workspace_id = ${db.workspaceId} and webhook_id = ${webhookId} and id >= ${from}
    ${deliveryFilters.where(query)} ${newestOfSlice(page)}`

/** A page of the deliveries of an event to these webhooks, newest first. Their IDs begin as the event's. */
export const listDeliveriesOfEvent = (db: Db, eventId: string, webhookIds: readonly string[], page: Page) =>
  db.many(DeliverySummaryRow)`
  select ${summaryColumns} from webhook_deliveries
  where workspace_id = ${db.workspaceId} and webhook_id = any (${webhookIds}::text[]) and event_id = ${eventId}
    and id > ${eventId.slice(0, sharedLength)} and id < ${`${eventId.slice(0, sharedLength)}~`} ${page.keyset()}`

const RowWithBody = Type.Intersect([
  LoggedRow,
  Type.Object({ body: Type.Union([Type.String(), Type.Null()]) }),
])

export const findDelivery = (db: Db, webhookId: string, id: string) =>
  db.maybeOne(RowWithBody)`
  select ${columns}, (
    select body from webhook_payloads p
    where p.workspace_id = d.workspace_id and p.event_id = d.event_id
  ) as body
  from webhook_deliveries d
  where workspace_id = ${db.workspaceId} and webhook_id = ${webhookId} and id = ${id}`

/** How long after its claim an attempt is in flight at most: until then, the worker may settle it. */
const isInFlight = (clock: Clock) => sql`
  (claimed_by is not null
    and claimed_until - (${retryDelaysMs}::integer[])[attempt] * interval '1 millisecond' > ${sharedNow(clock)}
    and not ${isClaimOver(clock)})`

/** Whether a delivery waits for another attempt: a retry, or the attempt after one whose worker is gone. */
const awaitsRetry = (clock: Clock) => sql`
  (status = 'pending' and attempt > 0 and (due_at > ${clock.now()} or claimed_until > ${sharedNow(clock)})
    and not ${isInFlight(clock)})`

/**
 * Makes deliveries due: one that is over in a new round of attempts, one that waits with its count of attempts. What has
 * used up its attempts starts a new round as well.
 */
const makeDue = (now: Date) => sql`
  status = 'pending', attempt = case when status = 'pending' and attempt < ${maxAttempts} then attempt else 0 end,
  due_at = case status when 'pending' then least(due_at, ${now}) else ${now} end,
  claimed_by = null, claimed_until = null, updated_at = ${now}`

/** Makes a delivery due now. Returns undefined if an attempt is in flight, or if there is no such delivery. */
export function requeue(tx: WorkspaceTx, webhookId: string, id: string, clock: Clock) {
  tx.write`select ${deliveryWorkers.wake}`
  return tx.maybeOne(LoggedRow)`
  update webhook_deliveries set ${makeDue(clock.now())}
  where workspace_id = ${tx.workspaceId} and webhook_id = ${webhookId} and id = ${id}
    and (status <> 'pending' or not ${isInFlight(clock)})
  returning ${columns}`
}

const IdRow = Type.Object({ id: Type.String() })

/** What a recovery resends: failed deliveries, and those that wait for another attempt. */
const isRecoverable = (clock: Clock) => sql`(status = 'failed' or ${awaitsRetry(clock)})`

/**
 * Makes failed and waiting deliveries due with ids from `from` up to but not including `to`, oldest first. Returns
 * their ids. The subquery is materialized because a join can evaluate a locking subquery again, and it would then find
 * other rows.
 */
export function requeueAll(
  tx: WorkspaceTx,
  webhookId: string,
  { from, to, limit }: { from: string; to: string; limit: number },
  clock: Clock,
) {
  tx.write`select ${deliveryWorkers.wake}`
  return tx.many(IdRow)`
  with found as materialized (
    select id from webhook_deliveries
    where workspace_id = ${tx.workspaceId} and webhook_id = ${webhookId} and ${isRecoverable(clock)}
      and id >= ${from} and id < ${to}
    order by id limit ${limit} for update
  )
  update webhook_deliveries d set ${makeDue(clock.now())}
  from found
  where d.workspace_id = ${tx.workspaceId} and d.webhook_id = ${webhookId} and d.id = found.id
  returning d.id`
}

const CountRow = Type.Object({ count: Type.Integer() })

export const countRecoverable = (db: Db, webhookId: string, from: string, to: string, clock: Clock) =>
  db.one(CountRow)`
  select count(*) as count from webhook_deliveries
  where workspace_id = ${db.workspaceId} and webhook_id = ${webhookId} and ${isRecoverable(clock)}
    and id >= ${from} and id < ${to}`

export const releaseLease = (tx: WorkspaceTx, webhookId: string) =>
  tx.run`delete from webhook_leases where workspace_id = ${tx.workspaceId} and webhook_id = ${webhookId}`

/** Deletes up to `limit` deliveries of a webhook. Returns how many were deleted. */
export const deleteDeliveries = (tx: WorkspaceTx, webhookId: string, limit: number) =>
  tx.run`
    delete from webhook_deliveries
    where workspace_id = ${tx.workspaceId} and webhook_id = ${webhookId} and id in (
      select id from webhook_deliveries
      where workspace_id = ${tx.workspaceId} and webhook_id = ${webhookId} limit ${limit})`

/** Deletes deliveries with ids below `before`, up to `limit` per webhook. Returns how many were deleted. */
export const deleteOldDeliveries = (tx: WorkspaceTx, before: string, limit: number) =>
  tx.run`
    with old as materialized (
      select w.id as webhook_id, d.id from webhooks w cross join lateral (
        select id from webhook_deliveries
        where workspace_id = ${tx.workspaceId} and webhook_id = w.id and id < ${before} order by id limit ${limit}) d
      where w.workspace_id = ${tx.workspaceId}
    )
    delete from webhook_deliveries d using old
    where d.workspace_id = ${tx.workspaceId} and d.webhook_id = old.webhook_id and d.id = old.id`

/** Deletes up to `limit` payloads of events with ids below `before`. Returns how many were deleted. */
export const deleteOldPayloads = (tx: WorkspaceTx, before: string, limit: number) =>
  tx.run`
    delete from webhook_payloads
    where workspace_id = ${tx.workspaceId} and event_id in (
      select event_id from webhook_payloads
      where workspace_id = ${tx.workspaceId} and event_id < ${before} limit ${limit})`

/**
 * Fails up to `limit` pending deliveries of a disabled webhook, except those that are still claimed. Returns how many
 * failed.
 */
export const failPending = (tx: WorkspaceTx, webhookId: string, clock: Clock, limit: number) =>
  tx.run`
    with waiting as materialized (
      select id from webhook_deliveries
      where workspace_id = ${tx.workspaceId} and webhook_id = ${webhookId} and status = 'pending'
        and ${isClaimOver(clock)}
      order by due_at, id limit ${limit} for update
    )
    update webhook_deliveries d set status = 'failed', updated_at = ${clock.now()}
    from waiting
    where d.workspace_id = ${tx.workspaceId} and d.webhook_id = ${webhookId} and d.id = waiting.id`

const isPendingBefore = (before: Date) => sql`status = 'pending' and created_at < ${before}`

export const countPendingBefore = (db: Db, before: Date) =>
  db.one(CountRow)`
    select count(*)::integer as count from webhook_deliveries
    where workspace_id = ${db.workspaceId} and ${isPendingBefore(before)}`

/**
 * Fails up to `limit` deliveries that wait since before a time, and says so in their logs. No one holds their claims: nothing
 * is delivered while the database is held. Returns how many failed.
 */
export const dropDeliveries = (tx: WorkspaceTx, before: Date, clock: Clock, limit: number) =>
  tx.run`
    with waiting as materialized (
      select webhook_id, id from webhook_deliveries
      where workspace_id = ${tx.workspaceId} and ${isPendingBefore(before)} order by webhook_id, id limit ${limit} for update
    )
    update webhook_deliveries d set status = 'failed', claimed_by = null, claimed_until = null, updated_at = ${clock.now()},
      attempts = attempts || ${JSON.stringify([
        {
          started_at: clock.now().toISOString(),
          duration_ms: 0,
          status: null,
          failure: 'not sent: it was dropped after the database was restored',
        },
      ])}::jsonb
    from waiting
    where d.workspace_id = ${tx.workspaceId} and d.webhook_id = waiting.webhook_id and d.id = waiting.id`

/** Identifies an event in the journal. */
interface EventRef {
  id: string
  name: string
}

/** Removes the personal data from the payloads of these events, as declared by each event type. */
export const scrubPayloads = (tx: WorkspaceTx & { eventTypes: EventTypes }, events: readonly EventRef[]) =>
  tx.run`
    update webhook_payloads p
    set body = jsonb_set(p.body::jsonb, '{data}', (p.body::jsonb -> 'data') - personal.members)::text
    from unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ name }) => name)}::text[]) as event (id, name)
      join ${personalMembers(tx.eventTypes)} on personal.name = event.name
    where p.workspace_id = ${tx.workspaceId} and p.event_id = event.id
      and (p.body::jsonb -> 'data') ?| personal.members`

/**
 * Removes the receivers' responses to deliveries of these events. Also removes their claims, so that attempts in
 * progress cannot record another response.
 */
export const scrubResponses = (tx: WorkspaceTx, events: readonly EventRef[]) =>
  tx.run`
    with delivery as materialized (
      select w.id as webhook_id, ${deliveryId(sql`event.id`, sql`w.id`)} as id
      from unnest(${events.map(({ id }) => id)}::text[]) as event (id), webhooks w
      where w.workspace_id = ${tx.workspaceId}
    )
    update webhook_deliveries d set claimed_by = null, attempts = (
      select coalesce(jsonb_agg(attempt - 'answer' order by place), '[]')
      from jsonb_array_elements(d.attempts) with ordinality as log (attempt, place))
    from delivery
    where d.workspace_id = ${tx.workspaceId} and d.webhook_id = delivery.webhook_id and d.id = delivery.id
      and (d.attempts <> '[]' or d.claimed_by is not null)`
