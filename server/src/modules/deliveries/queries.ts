import { type Static, Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import type { Writer } from '#kernel/db/transaction.ts'
import type { EventTypes } from '#kernel/events/event.ts'
import { personalMembers } from '#kernel/events/journal.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

/** One attempt, as the log keeps it. */
const AttemptRecord = Type.Object({
  started_at: Type.String(),
  duration_ms: Type.Integer(),
  status: Type.Union([Type.Integer(), Type.Null()]),
  failure: nullable,
  /** Gone after an erasure of whom the event was about. */
  answer: Type.Optional(nullable),
})

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

const statusSchema = Type.Enum(deliveryStatuses)

const summary = {
  id: Type.String(),
  webhook_id: Type.String(),
  event_id: Type.String(),
  event: Type.String(),
  scope: Type.String(),
  status: statusSchema,
  attempt: Type.Integer(),
  due_at: Type.String(),
  claimed_until: nullable,
  created_at: Type.String(),
  updated_at: Type.String(),
}
export const DeliverySummary = Type.Object(summary)
export type DeliverySummary = Static<typeof DeliverySummary>

export const DeliveryRow = Type.Object({ ...summary, attempts: Type.Array(AttemptRecord) })
export type DeliveryRow = Static<typeof DeliveryRow>

interface Tenant extends Queries {
  readonly workspaceId: string
}

/** All but the log, which a list does not show. */
const summaryColumns = sql`
  id, webhook_id, event_id, event, scope, status, attempt, due_at, claimed_until, created_at, updated_at`
const columns = sql`
  id, webhook_id, event_id, event, scope, status, attempt, due_at, claimed_until, attempts, created_at, updated_at`

/**
 * The id of the delivery of an event to a subscription follows from the two: it sorts like the event, there can be no
 * second one, and it is found without an index of its own.
 */
const deliveryId = (eventId: Sql, webhookId: Sql) =>
  sql`left(${eventId}, 13) || left(encode(sha256(convert_to(${eventId} || ${webhookId}, 'UTF8')), 'hex'), 12)`

export interface Told {
  event: string
  scope: string
  eventId: string
  /** When it happened: from then on it is due. */
  at: string
  body: string
}

/**
 * Writes a delivery for every subscription that wants the event and may see it, and the payload once if there is any.
 * A disabled endpoint's counts as failed at once, so that it can be recovered later; a paused one's waits.
 */
export const fanOut = (tx: Writer, { event, scope, eventId, at, body }: Told) =>
  tx.write(sql`
    with told as (select ${eventId}::text as id),
    fanned as (
      insert into webhook_deliveries
        (workspace_id, webhook_id, id, event_id, event, scope, status, attempt, due_at, attempts, created_at, updated_at)
      select workspace_id, webhooks.id, ${deliveryId(sql`told.id`, sql`webhooks.id`)}, told.id, ${event}, ${scope},
        case when disabled_at is null then 'pending' else 'failed' end, 0, ${at}, '[]', ${at}, ${at}
      from webhooks, told
      where workspace_id = ${tx.workspaceId} and ${scope} = any (scopes)
        and (event_types = '{}' or ${event} = any (event_types))
      returning 1
    )
    insert into webhook_payloads (workspace_id, event_id, body)
    select ${tx.workspaceId}, ${eventId}, ${body} where exists (select 1 from fanned)`)

/** The same for one subscription, whatever events it has asked for. */
export const tellOne = (tx: Tenant, webhookId: string, { event, scope, eventId, at, body }: Told) =>
  tx.one(
    DeliveryRow,
    sql`
    with payload as (
      insert into webhook_payloads (workspace_id, event_id, body) values (${tx.workspaceId}, ${eventId}, ${body})
    )
    insert into webhook_deliveries
      (workspace_id, webhook_id, id, event_id, event, scope, status, attempt, due_at, attempts, created_at, updated_at)
    values (${tx.workspaceId}, ${webhookId}, ${deliveryId(sql`${eventId}::text`, sql`${webhookId}::text`)}, ${eventId},
      ${event}, ${scope}, 'pending', 0, ${at}, '[]', ${at}, ${at})
    returning ${columns}`,
  )

export interface DeliveryFilters {
  status?: (typeof deliveryStatuses)[number]
  event?: string
}

/** Newest first; with ids from `from` on. */
export const listDeliveries = (
  db: Tenant,
  webhookId: string,
  { status, event }: DeliveryFilters,
  from: string,
  page: { before: string | null; limit: number },
) =>
  db.many(
    DeliverySummary,
    sql`
  select ${summaryColumns} from webhook_deliveries
  where workspace_id = ${db.workspaceId} and webhook_id = ${webhookId} and id >= ${from}
    ${status === undefined ? empty : sql`and status = ${status}`}
    ${event === undefined ? empty : sql`and event = ${event}`}
    ${page.before === null ? empty : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit}`,
  )

const DeliveryWithBody = Type.Object({ ...DeliveryRow.properties, body: nullable })

export const findDelivery = (db: Tenant, webhookId: string, id: string) =>
  db.maybeOne(
    DeliveryWithBody,
    sql`
  select ${columns}, (
    select body from webhook_payloads p
    where p.workspace_id = d.workspace_id and p.event_id = d.event_id
  ) as body
  from webhook_deliveries d
  where workspace_id = ${db.workspaceId} and webhook_id = ${webhookId} and id = ${id}`,
  )

/** A new round of attempts for a delivery that is over; none for one that is not. */
export const startAnew = (tx: Tenant, webhookId: string, id: string, now: Date) =>
  tx.maybeOne(
    DeliveryRow,
    sql`
  update webhook_deliveries set
    status = 'pending', attempt = 0, due_at = ${now}, claimed_by = null, claimed_until = null, updated_at = ${now}
  where workspace_id = ${tx.workspaceId} and webhook_id = ${webhookId} and id = ${id} and status <> 'pending'
  returning ${columns}`,
  )

const IdRow = Type.Object({ id: Type.String() })

/**
 * The same for failed ones with ids from `from` to `to`, oldest first, so many at most; answers the ids. Materialized:
 * a subquery that locks finds other rows each time that a join asks it again.
 */
export const startFailedAnew = (
  tx: Tenant,
  webhookId: string,
  { from, to, limit }: { from: string; to: string; limit: number },
  now: Date,
) =>
  tx.many(
    IdRow,
    sql`
  with failed as materialized (
    select id from webhook_deliveries
    where workspace_id = ${tx.workspaceId} and webhook_id = ${webhookId} and status = 'failed'
      and id >= ${from} and id < ${to}
    order by id limit ${limit} for update
  )
  update webhook_deliveries d set
    status = 'pending', attempt = 0, due_at = ${now}, claimed_by = null, claimed_until = null, updated_at = ${now}
  from failed
  where d.workspace_id = ${tx.workspaceId} and d.webhook_id = ${webhookId} and d.id = failed.id
  returning d.id`,
  )

const CountRow = Type.Object({ count: Type.Integer() })

export const countFailed = (db: Tenant, webhookId: string, from: string, to: string) =>
  db.one(
    CountRow,
    sql`
  select count(*) as count from webhook_deliveries
  where workspace_id = ${db.workspaceId} and webhook_id = ${webhookId} and status = 'failed'
    and id >= ${from} and id < ${to}`,
  )

export const forgetHold = (tx: Tenant, webhookId: string) =>
  tx.run(sql`delete from webhook_holds where workspace_id = ${tx.workspaceId} and webhook_id = ${webhookId}`)

/** Deliveries of a subscription that is gone, so many at most; answers how many there were. */
export const forgetDeliveries = (tx: Tenant, webhookId: string, limit: number) =>
  tx.run(sql`
    delete from webhook_deliveries
    where workspace_id = ${tx.workspaceId} and webhook_id = ${webhookId} and id in (
      select id from webhook_deliveries
      where workspace_id = ${tx.workspaceId} and webhook_id = ${webhookId} limit ${limit})`)

/** Deliveries with ids below `before`, so many of each subscription at most. */
export const forgetOldDeliveries = (tx: Tenant, before: string, limit: number) =>
  tx.run(sql`
    with old as materialized (
      select w.id as webhook_id, d.id from webhooks w cross join lateral (
        select id from webhook_deliveries
        where workspace_id = ${tx.workspaceId} and webhook_id = w.id and id < ${before} order by id limit ${limit}) d
      where w.workspace_id = ${tx.workspaceId}
    )
    delete from webhook_deliveries d using old
    where d.workspace_id = ${tx.workspaceId} and d.webhook_id = old.webhook_id and d.id = old.id`)

/** Payloads of events with ids below `before`, so many at most. */
export const forgetOldPayloads = (tx: Tenant, before: string, limit: number) =>
  tx.run(sql`
    delete from webhook_payloads
    where workspace_id = ${tx.workspaceId} and event_id in (
      select event_id from webhook_payloads
      where workspace_id = ${tx.workspaceId} and event_id < ${before} limit ${limit})`)

/** What waits at an endpoint that is given up counts as failed; so many at most. */
export const failPending = (tx: Tenant, webhookId: string, now: Date, limit: number) =>
  tx.run(sql`
    with waiting as materialized (
      select id from webhook_deliveries
      where workspace_id = ${tx.workspaceId} and webhook_id = ${webhookId} and status = 'pending'
        and (claimed_until is null or claimed_until <= ${now})
      order by due_at, id limit ${limit} for update
    )
    update webhook_deliveries d set status = 'failed', updated_at = ${now}
    from waiting
    where d.workspace_id = ${tx.workspaceId} and d.webhook_id = ${webhookId} and d.id = waiting.id`)

/**
 * Takes what is personal out of the payloads of everything on a timeline, each by its event's declaration, and the
 * receivers' answers, which may repeat it. What is under way loses its claim: its answer cannot be written any more,
 * and as nothing is heard of it, it is sent again as it is now.
 */
export async function scrubDeliveries(
  tx: Tenant & { eventTypes: EventTypes },
  timelineId: string,
): Promise<void> {
  await tx.run(sql`
    update webhook_payloads p
    set body = jsonb_set(p.body::jsonb, '{data}', (p.body::jsonb -> 'data') - personal.members)::text
    from events e join ${personalMembers(tx.eventTypes)} on personal.name = e.name
    where e.workspace_id = ${tx.workspaceId} and e.timeline_id = ${timelineId}
      and p.workspace_id = e.workspace_id and p.event_id = e.id and (p.body::jsonb -> 'data') ?| personal.members`)
  await scrubAnswers(tx, timelineId)
}

/** The second half alone: the receivers' answers, and the claims that would bring more of them. */
export const scrubAnswers = (tx: Tenant, timelineId: string) =>
  tx.run(sql`
    with told as materialized (
      select w.id as webhook_id, ${deliveryId(sql`e.id`, sql`w.id`)} as id
      from events e, webhooks w
      where e.workspace_id = ${tx.workspaceId} and e.timeline_id = ${timelineId} and w.workspace_id = ${tx.workspaceId}
    )
    update webhook_deliveries d set claimed_by = null, attempts = (
      select coalesce(jsonb_agg(attempt - 'answer' order by place), '[]')
      from jsonb_array_elements(d.attempts) with ordinality as log (attempt, place))
    from told
    where d.workspace_id = ${tx.workspaceId} and d.webhook_id = told.webhook_id and d.id = told.id
      and (d.attempts <> '[]' or d.claimed_by is not null)`)
