import { type Static, Type } from 'typebox'
import { idleWorkers } from '#kernel/background/idle-workers.ts'
import { type Lease, hasEnded, leaseEnd, leaseFrom } from '#kernel/background/lease.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Queries } from '#kernel/db/handles.ts'
import { globalLock } from '#kernel/db/lock.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import type { ClaimRequest } from './ports.ts'
import { endpointLeaseMs, leaseMs, maxAttempts, unreportedDelaysMs } from './schedule.ts'

/** How many endpoints one claim scans. */
const scanned = 1000

/**
 * Serializes claims, so that each sees what the others have claimed. Therefore only one worker at a time leases an
 * endpoint, and the limit of concurrent attempts per endpoint holds with any number of workers.
 */
export const claimLock: Sql = globalLock('webhook claims')

/**
 * Settlements do not wait for the disk. If the database host fails at that moment, deliveries are sent again, which
 * at-least-once delivery allows. Claims do wait, because they count attempts.
 */
export const settleLazily: Sql = sql`select set_config('synchronous_commit', 'off', true)`

/** Wakes idle workers when deliveries are written. */
export const deliveryWorkers = idleWorkers('webhook_deliveries')

const nullable = Type.Union([Type.String(), Type.Null()])

/**
 * One of three kinds of rows: a claimed delivery (has `id`), the endpoint of claimed deliveries (has `url`), or the end
 * of the scan (has `after`). The columns of the other kinds are null.
 */
export const ClaimRow = Type.Object({
  after: nullable,
  workspace_id: nullable,
  webhook_id: nullable,
  id: nullable,
  place: nullable,
  event_id: nullable,
  event: nullable,
  attempt: Type.Union([Type.Integer(), Type.Null()]),
  claimed_until: nullable,
  failing: Type.Union([Type.Boolean(), Type.Null()]),
  body: nullable,
  url: nullable,
  secret: Type.Unsafe<Buffer | null>({}),
  previous_secret: Type.Unsafe<Buffer | null>({}),
  previous_secret_until: nullable,
})
export type ClaimRow = Static<typeof ClaimRow>

/** The lease of an endpoint. */
const endpointLease = (clock: Pick<Clock, 'shared'>): Lease => leaseFrom(clock, endpointLeaseMs)

/** The claim of a delivery for the attempt with this number: it lasts until the next attempt may begin. */
const claimLease = (clock: Pick<Clock, 'shared'>, attempt: Sql): Lease =>
  leaseFrom(clock, sql`(${unreportedDelaysMs}::integer[])[${attempt}]`)

/** An expression: whether no claim of a delivery lasts. */
export const isClaimOver = (clock: Pick<Clock, 'shared'>): Sql =>
  hasEnded(sql`claimed_until`, claimLease(clock, sql`greatest(attempt, 1)`))

export interface ClaimQuery extends ClaimRequest {
  /** The worker's name. */
  worker: string
  /** The wall clock in epoch milliseconds. New deliveries become due by it; retries become due by `now`, which never jumps. */
  wall: number
}

/**
 * Claims due deliveries within their quotas: first for the endpoints in `refill`, then for others in the order of their
 * ids. The scan jumps from endpoint to endpoint in the index (`next`), so a backlog does not slow it down. It skips
 * endpoints that another worker has leased, and paused, disabled and deleted webhooks.
 *
 * A claim counts the attempt and stores when the next one may begin if this one is never settled. A delivery fails if
 * it has no attempts left, or if the webhook may no longer receive its event.
 *
 * Rows are looked up in the index once. After that, the statement finds them by their place (`ctid`), which stays valid
 * for its snapshot. A row that has changed in the meantime is locked by another transaction, or is not found, and is
 * left for the next claim.
 */
export const claimDeliveries = (sender: Queries, request: ClaimQuery, clock: Pick<Clock, 'shared'>) => {
  const { worker, refill, limit } = request
  const now = new Date(request.now)
  const lease = endpointLease(clock)
  const quotas = [...request.quotas]
  const workspaceQuotas = [...request.workspaceQuotas]
  const refillQuotas = refill.map(({ webhookId }) => request.quotas.get(webhookId) ?? request.defaultQuota)
  // Lookups by a complete key end with LIMIT 1. If they were joins, the planner could reverse them.
  const active = (endpoint: Sql) => sql`
      select scopes, failing_since is not null as failing from webhooks
      where workspace_id = ${endpoint}.workspace_id and id = ${endpoint}.webhook_id and not paused and disabled_at is null
      limit 1`
  const due = (endpoint: Sql, quota: Sql) => sql`
      select ctid as place, workspace_id, webhook_id, due_at, id, failing, scope = any (scopes) as allowed
      from webhook_deliveries
      where webhook_id = ${endpoint}.webhook_id and status = 'pending' and due_at <= at.due
        and (attempt = 0 or due_at <= at.retry) and ${isClaimOver(clock)}
      order by due_at, id limit ${quota}`
  return sender.many(ClaimRow)`
  with recursive at as materialized (
    select ${new Date(Math.max(request.now, request.wall))}::timestamptz as due, ${now}::timestamptz as retry
  ), quota as materialized (
    select * from unnest(${quotas.map(([id]) => id)}::text[], ${quotas.map(([, n]) => n)}::integer[])
      as quota (webhook_id, quota)
  ), workspace_quota as materialized (
    select * from unnest(${workspaceQuotas.map(([id]) => id)}::text[], ${workspaceQuotas.map(([, n]) => n)}::integer[])
      as quota (workspace_id, quota)
  ), elsewhere as materialized (
    select webhook_id from webhook_leases where worker <> ${worker} and not ${hasEnded(sql`leased_until`, lease)}
  ), refill as materialized (
    select * from unnest(${refill.map(({ workspaceId }) => workspaceId)}::text[],
      ${refill.map(({ webhookId }) => webhookId)}::text[], ${refillQuotas}::integer[])
      as refill (workspace_id, webhook_id, quota)
  ), next as (
    (select workspace_id, webhook_id, 1 as count from webhook_deliveries
     where status = 'pending' and webhook_id > ${request.after} and ${request.scan} order by webhook_id limit 1)
    union all
    select found.workspace_id, found.webhook_id, next.count + 1 from next cross join lateral (
      select workspace_id, webhook_id from webhook_deliveries
      where status = 'pending' and webhook_id > next.webhook_id order by webhook_id limit 1) found
    where next.count < ${scanned}
  ), due as materialized (
    (select 0 as turn, delivery.* from at cross join refill
       cross join lateral (${active(sql`refill`)}) active
       cross join lateral (${due(sql`refill`, sql`refill.quota`)}) delivery
     where refill.webhook_id not in (select webhook_id from elsewhere)
     limit ${limit})
    union all
    (select 1 as turn, delivery.* from at cross join next
       cross join lateral (${active(sql`next`)}) active
       cross join lateral (${due(sql`next`, sql`coalesce((select quota from quota where quota.webhook_id = next.webhook_id), ${request.defaultQuota})`)}) delivery
     where next.webhook_id not in (select webhook_id from elsewhere)
       and next.webhook_id not in (select webhook_id from refill)
     limit ${limit})
  ), ranked as (
    select *, row_number() over (partition by workspace_id order by turn, due_at, id) as of_workspace from due
  ), fitting as (
    select *, row_number() over (partition by failing order by turn, due_at, id) as of_failing from ranked
    where of_workspace <= coalesce(
      (select quota from workspace_quota where workspace_quota.workspace_id = ranked.workspace_id),
      ${request.defaultWorkspaceQuota})
  ), free as materialized (
    -- Locked rows are left for the next claim: a claim never waits.
    select d.ctid as place, failing, allowed from fitting f join webhook_deliveries d on d.ctid = f.place
    where (not failing or of_failing <= ${request.failingQuota}) and d.status = 'pending' and d.due_at = f.due_at
    for update of d skip locked
  ), claimed as (
    update webhook_deliveries d set
      status = case when attempt < ${maxAttempts} and allowed then 'pending' else 'failed' end,
      attempt = least(attempt + 1, ${maxAttempts}),
      claimed_by = case when attempt < ${maxAttempts} and allowed then ${worker} end,
      claimed_until = ${leaseEnd(claimLease(clock, sql`least(attempt + 1, ${maxAttempts})`))},
      updated_at = ${new Date(request.wall)}
    from free where d.ctid = free.place
    returning workspace_id, webhook_id, id, d.ctid as place, event_id, event, attempt, claimed_until, status, failing
  ), endpoint as materialized (
    select distinct workspace_id, webhook_id from claimed
  ), leased as (
    insert into webhook_leases (workspace_id, webhook_id, worker, leased_until)
    select workspace_id, webhook_id, ${worker}, ${leaseEnd(lease)} from endpoint
    on conflict (workspace_id, webhook_id) do update set worker = excluded.worker, leased_until = excluded.leased_until
    where webhook_leases.worker <> excluded.worker
      or webhook_leases.leased_until < ${leaseEnd({ ...lease, ms: leaseMs })} or ${hasEnded(sql`webhook_leases.leased_until`, lease)}
  )
  select null as after, workspace_id, webhook_id, id, place::text, event_id, event, attempt, claimed_until, failing, body,
    null as url, null as secret, null as previous_secret, null as previous_secret_until
  from (select * from claimed where status = 'pending' order by id) one cross join lateral (
    select body from webhook_payloads p where p.workspace_id = one.workspace_id and p.event_id = one.event_id limit 1) payload
  union all
  select null, workspace_id, webhook_id, null, null, null, null, null, null, null, null,
    url, secret, previous_secret, previous_secret_until
  from endpoint cross join lateral (
    select url, secret, previous_secret, previous_secret_until from webhooks w
    where w.workspace_id = endpoint.workspace_id and w.id = endpoint.webhook_id limit 1) webhook
  union all
  select case
      when (select count(*) from due where turn = 1) >= ${limit} then (select max(webhook_id) from due where turn = 1)
      when (select count(*) from next) >= ${scanned} then (select max(webhook_id) from next)
      else '' end,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null`
}

const DueAtRow = Type.Object({ due_at: nullable })

/**
 * When a worker that has nothing leased may claim something next: when a retry is due, or a claim or an endpoint's lease
 * of another worker expires. Reads a few rows of each endpoint.
 */
export const findNextClaimAcrossWorkspaces = async (
  sender: Queries,
  worker: string,
  at: Date,
  clock: Pick<Clock, 'shared'>,
): Promise<string | null> => {
  const pending = sql`
    select due_at, claimed_until, attempt from webhook_deliveries d
    where d.webhook_id = endpoint.webhook_id and status = 'pending'`
  const { due_at } = await sender.one(DueAtRow)`
    with recursive endpoint as (
      (select workspace_id, webhook_id from webhook_deliveries where status = 'pending' order by webhook_id limit 1)
      union all
      select found.workspace_id, found.webhook_id from endpoint cross join lateral (
        select workspace_id, webhook_id from webhook_deliveries
        where status = 'pending' and webhook_id > endpoint.webhook_id order by webhook_id limit 1) found
    )
    select min(greatest(leased_until, least(free.due_at, claimed.until))) as due_at
    from endpoint
    cross join lateral (
      select from webhooks
      where workspace_id = endpoint.workspace_id and id = endpoint.webhook_id and not paused and disabled_at is null
      limit 1) active
    left join lateral (
      select leased_until from webhook_leases l
      where l.workspace_id = endpoint.workspace_id and l.webhook_id = endpoint.webhook_id
        and l.worker <> ${worker} and not ${hasEnded(sql`l.leased_until`, endpointLease(clock))} limit 1) elsewhere on true
    left join lateral (
      select due_at from (${pending}) d where ${isClaimOver(clock)}
      order by due_at limit 1) free on true
    left join lateral (
      select min(claimed_until) as until from (${pending}) d where due_at <= ${at} and not ${isClaimOver(clock)}) claimed on true`
  return due_at
}

export interface Settled {
  workspaceId: string
  webhookId: string
  id: string
  /** The `ctid` of the row after the claim. */
  place: string
  attempt: number
  /** Identifies the claim. The attempt is not enough: a worker can claim the same attempt again after releasing it. */
  claimedUntil: string
  status: 'delivered' | 'pending' | 'failed'
  dueAt: number
  /** The attempt as JSON for the log. Undefined if the attempt was not made; then it does not count. */
  record: string | undefined
}

/** How many attempts the log of a delivery keeps, over all rounds. */
const keptAttempts = 25

/**
 * Records the results of attempts. Skips deliveries that were deleted, or that another worker has claimed, in the
 * meantime: the last claim wins. Finds the rows by their place after the claim. If any of them is no longer there,
 * looks all up again by key.
 */
export async function settleDeliveries(
  sender: Queries,
  worker: string,
  settled: readonly Settled[],
  wall: Date,
): Promise<void> {
  const settle = (place: Sql) => sender.run`
    update webhook_deliveries d set
      status = s.status, due_at = case when s.record is null then d.due_at else s.due_at end,
      claimed_by = null, claimed_until = null, updated_at = ${wall},
      attempt = case when s.record is null then d.attempt - 1 else d.attempt end,
      attempts = case
        when s.record is null then d.attempts
        when jsonb_array_length(d.attempts) < ${keptAttempts} then d.attempts || s.record::jsonb
        else (d.attempts - 0) || s.record::jsonb end
    from unnest(
      ${settled.map((one) => one.workspaceId)}::text[], ${settled.map((one) => one.webhookId)}::text[],
      ${settled.map((one) => one.id)}::text[], ${settled.map((one) => one.place)}::tid[],
      ${settled.map((one) => one.attempt)}::smallint[], ${settled.map((one) => one.claimedUntil)}::timestamptz[],
      ${settled.map((one) => one.status)}::text[], ${settled.map((one) => new Date(one.dueAt))}::timestamptz[],
      ${settled.map((one) => one.record ?? null)}::text[]
    ) as s (workspace_id, webhook_id, id, place, attempt, claimed_until, status, due_at, record)
    cross join lateral (${place}) found
    where d.ctid = found.place and d.id = s.id
      and d.claimed_by = ${worker} and d.attempt = s.attempt and d.claimed_until = s.claimed_until`
  const count = await settle(sql`select s.place`)
  if (count === settled.length) return
  await settle(sql`
      select ctid as place from webhook_deliveries
      where workspace_id = s.workspace_id and webhook_id = s.webhook_id and id = s.id limit 1`)
}

/** Releases the endpoints of a worker that is stopping, so that others can take them at once. */
export const releaseEndpointLeases = (sender: Queries, worker: string) =>
  sender.run`delete from webhook_leases where worker = ${worker}`
