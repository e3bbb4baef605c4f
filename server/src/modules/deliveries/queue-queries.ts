import { type Static, Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import type { ClaimOrder } from './ports.ts'
import { holdMs, leaseMs, maxAttempts, unheardDelaysMs } from './schedule.ts'

/** Endpoints of others that one claim looks at. */
const scanned = 1000

/**
 * Claims take turns: what one has claimed, the next one sees. So an endpoint is in the hands of one worker at a time,
 * and its cap holds however many workers there are.
 */
export const claimLock: Sql = sql`select pg_advisory_xact_lock(hashtextextended('gable webhook claims', 0))`

/**
 * Settlements need not wait for the disk: should the database's machine fail in that very moment, what was delivered is
 * taken for unheard of and delivered again, which at least once allows. Claims do wait: an attempt counts.
 */
export const settleLazily: Sql = sql`select set_config('synchronous_commit', 'off', true)`

const nullable = Type.Union([Type.String(), Type.Null()])

/** A claimed delivery, or, with `id` null, only where the look ended. Of each endpoint the first carries how to reach it. */
export const ClaimRow = Type.Object({
  after: Type.String(),
  id: nullable,
  workspace_id: nullable,
  webhook_id: nullable,
  event_id: nullable,
  event: nullable,
  attempt: Type.Union([Type.Integer(), Type.Null()]),
  claimed_until: nullable,
  body: nullable,
  failing: Type.Union([Type.Boolean(), Type.Null()]),
  url: nullable,
  secret: Type.Unsafe<Buffer | null>({}),
  previous_secret: Type.Unsafe<Buffer | null>({}),
  previous_secret_until: nullable,
})
export type ClaimRow = Static<typeof ClaimRow>

export interface ClaimQuery extends ClaimOrder {
  /** The worker that claims. */
  worker: string
  /** The wall clock's time, by which new deliveries are due; retries are due by `now`, which never jumps. */
  wall: number
}

/**
 * Claims what is due: of the hungry endpoints first, then of others, going round by their ids, with at most so many of
 * each as there is room for. It goes from endpoint to endpoint by the index (`next`), so its cost does not grow with a
 * backlog, and leaves out endpoints that another worker serves, and those that are paused, disabled or gone.
 *
 * The attempt is counted here, and with it is written when the next may begin should nothing be heard of this one. A
 * delivery that has no attempt left, or whose event the subscription may no longer see, is over.
 */
export const claimDeliveries = (sender: Queries, order: ClaimQuery) => {
  const now = new Date(order.now)
  const rooms = [...order.rooms]
  const workspaceRooms = [...order.workspaceRooms]
  const due = sql`status = 'pending' and due_at <= ${new Date(Math.max(order.now, order.wall))}
        and (attempt = 0 or due_at <= ${now}) and (claimed_until is null or claimed_until <= ${now})`
  return sender.many(
    ClaimRow,
    sql`
  with recursive room as materialized (
    select * from unnest(${rooms.map(([id]) => id)}::text[], ${rooms.map(([, n]) => n)}::integer[])
      as room (webhook_id, room)
  ), workspace_room as materialized (
    select * from unnest(${workspaceRooms.map(([id]) => id)}::text[], ${workspaceRooms.map(([, n]) => n)}::integer[])
      as room (workspace_id, room)
  ), elsewhere as materialized (
    select webhook_id from webhook_holds where worker <> ${order.worker} and held_until > ${now}
  ), next as (
    (select workspace_id, webhook_id, 1 as place from webhook_deliveries
     where status = 'pending' and webhook_id > ${order.after} and ${order.around} order by webhook_id limit 1)
    union all
    select found.workspace_id, found.webhook_id, next.place + 1 from next cross join lateral (
      select workspace_id, webhook_id from webhook_deliveries
      where status = 'pending' and webhook_id > next.webhook_id order by webhook_id limit 1) found
    where next.place < ${scanned}
  ), due as materialized (
    (select delivery.*, 0 as turn from unnest(${order.hungry}::text[]) as hungry (webhook_id) cross join lateral (
       select workspace_id, webhook_id, id, event_id, due_at from webhook_deliveries
       where webhook_id = hungry.webhook_id and ${due}
       order by due_at, id
       limit coalesce((select room from room where room.webhook_id = hungry.webhook_id), ${order.roomElse})) delivery
     where hungry.webhook_id not in (select webhook_id from elsewhere)
     limit ${order.limit})
    union all
    (select delivery.*, 1 as turn from next cross join lateral (
       select 1 from webhooks w
       where w.workspace_id = next.workspace_id and w.id = next.webhook_id and not w.paused and w.disabled_at is null
       limit 1) active cross join lateral (
       select workspace_id, webhook_id, id, event_id, due_at from webhook_deliveries
       where webhook_id = next.webhook_id and ${due}
       order by due_at, id
       limit coalesce((select room from room where room.webhook_id = next.webhook_id), ${order.roomElse})) delivery
     where next.webhook_id not in (select webhook_id from elsewhere) and next.webhook_id <> all (${order.hungry}::text[])
     limit ${order.limit})
  ), ranked as (
    select due.*, w.scopes, w.failing_since is not null as failing,
      row_number() over (partition by due.workspace_id order by turn, due.due_at, due.id) as of_workspace
    from due join webhooks w on w.workspace_id = due.workspace_id and w.id = due.webhook_id
    where not w.paused and w.disabled_at is null
  ), fitting as (
    select ranked.*, row_number() over (partition by failing order by turn, due_at, id) as of_failing from ranked
    where of_workspace <= coalesce(
      (select room from workspace_room where workspace_room.workspace_id = ranked.workspace_id),
      ${order.workspaceRoomElse})
  ), free as materialized (
    -- A row that somebody else works on is left for the next look: a claim must wait for nobody.
    select r.* from fitting r join webhook_deliveries d
      on d.workspace_id = r.workspace_id and d.webhook_id = r.webhook_id and d.id = r.id
    where (not r.failing or r.of_failing <= ${order.failingRoom}) and d.status = 'pending' and d.due_at = r.due_at
    for update of d skip locked
  ), claimed as (
    update webhook_deliveries d set
      status = case when d.attempt < ${maxAttempts} and d.scope = any (r.scopes) then 'pending' else 'failed' end,
      attempt = least(d.attempt + 1, ${maxAttempts}),
      claimed_by = case when d.attempt < ${maxAttempts} and d.scope = any (r.scopes) then ${order.worker} end,
      claimed_until = ${now}::timestamptz
        + (${unheardDelaysMs}::integer[])[least(d.attempt + 1, ${maxAttempts})] * interval '1 millisecond',
      updated_at = ${new Date(order.wall)}
    from free r cross join lateral (
      -- By its whole key for each: planned as a join while the table is young, it went through a workspace's payloads.
      select body from webhook_payloads p where p.workspace_id = r.workspace_id and p.event_id = r.event_id limit 1) p
    where d.workspace_id = r.workspace_id and d.webhook_id = r.webhook_id and d.id = r.id
    returning d.workspace_id, d.webhook_id, d.id, d.event_id, d.event, d.attempt, d.claimed_until, d.status, p.body,
      r.failing
  ), held as (
    insert into webhook_holds (workspace_id, webhook_id, worker, held_until)
    select distinct workspace_id, webhook_id, ${order.worker}, ${new Date(order.now + holdMs)}::timestamptz from claimed
    on conflict (workspace_id, webhook_id) do update set worker = excluded.worker, held_until = excluded.held_until
    where webhook_holds.worker <> excluded.worker or webhook_holds.held_until < ${new Date(order.now + leaseMs)}
  ), sendable as (
    select *, row_number() over (partition by webhook_id order by id) as of_webhook from claimed
    where status = 'pending'
  )
  select
    case when (select count(*) from due where turn = 1) >= ${order.limit} then (select max(webhook_id) from due where turn = 1)
      when (select count(*) from next) >= ${scanned} then (select max(webhook_id) from next)
      else '' end as after,
    c.id, c.workspace_id, c.webhook_id, c.event_id, c.event, c.attempt, c.claimed_until, c.body, c.failing, w.url,
    w.secret, w.previous_secret, w.previous_secret_until
  from (select 1) as always
  left join sendable c on true
  left join webhooks w on c.of_webhook = 1 and w.workspace_id = c.workspace_id and w.id = c.webhook_id
  order by c.id`,
  )
}

export interface Settled {
  workspaceId: string
  webhookId: string
  id: string
  attempt: number
  /** Which claim it was: a worker may have claimed the same attempt again since it gave it back. */
  claimedUntil: string
  status: 'delivered' | 'pending' | 'failed'
  dueAt: number
  /** JSON of the attempt's record; undefined for one that never was: then the attempt does not count. */
  record: string | undefined
}

/** Attempts in the log of a delivery, of all its rounds. */
const keptAttempts = 25

/**
 * Writes down what came of attempts. One whose claim has since passed to another worker, or whose delivery is gone, is
 * passed over: whoever claimed last has the say.
 */
export const settleDeliveries = (sender: Queries, worker: string, settled: readonly Settled[], wall: Date) =>
  sender.run(sql`
    update webhook_deliveries d set
      status = s.status, due_at = case when s.record is null then d.due_at else s.due_at end, claimed_by = null, claimed_until = null, updated_at = ${wall},
      attempt = case when s.record is null then d.attempt - 1 else d.attempt end,
      attempts = case
        when s.record is null then d.attempts
        when jsonb_array_length(d.attempts) < ${keptAttempts} then d.attempts || s.record::jsonb
        else (d.attempts - 0) || s.record::jsonb end
    from unnest(
      ${settled.map((one) => one.workspaceId)}::text[], ${settled.map((one) => one.webhookId)}::text[],
      ${settled.map((one) => one.id)}::text[], ${settled.map((one) => one.attempt)}::smallint[],
      ${settled.map((one) => one.claimedUntil)}::timestamptz[],
      ${settled.map((one) => one.status)}::text[], ${settled.map((one) => new Date(one.dueAt))}::timestamptz[],
      ${settled.map((one) => one.record ?? null)}::text[]
    ) as s (workspace_id, webhook_id, id, attempt, claimed_until, status, due_at, record)
    where d.workspace_id = s.workspace_id and d.webhook_id = s.webhook_id and d.id = s.id
      and d.claimed_by = ${worker} and d.attempt = s.attempt and d.claimed_until = s.claimed_until`)

/** Lets go of all endpoints of a worker that stops, so that another may serve them at once. */
export const releaseHolds = (sender: Queries, worker: string) =>
  sender.run(sql`delete from webhook_holds where worker = ${worker}`)
