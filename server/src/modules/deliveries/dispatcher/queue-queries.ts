import { type Static, Type } from 'typebox'
import type { Queries } from '#kernel/db/handles.ts'
import { globalLock } from '#kernel/db/lock.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import type { ClaimRequest } from './ports.ts'
import { endpointLeaseMs, leaseMs, maxAttempts, unreportedDelaysMs } from './schedule.ts'

/** Endpoints that one claim scans. */
const scanned = 1000

/**
 * Serializes claims, so that each sees what others have claimed. One worker leases an endpoint at a time, and the limit of
 * concurrent attempts per endpoint holds with any number of workers.
 */
export const claimLock: Sql = globalLock('webhook claims')

/**
 * Settlements do not wait for the disk: if the database's machine fails at that moment, deliveries are sent again, which
 * at-least-once delivery allows. Claims do wait, since they count attempts.
 */
export const settleLazily: Sql = sql`select set_config('synchronous_commit', 'off', true)`

const nullable = Type.Union([Type.String(), Type.Null()])

/** A claimed delivery, or with `id` null only where the scan ended. The first row of each endpoint carries URL and secrets. */
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

export interface ClaimQuery extends ClaimRequest {
  /** The name of the worker. */
  worker: string
  /** The wall clock. New deliveries are due by it; retries are due by `now`, which never jumps. */
  wall: number
}

/**
 * Claims due deliveries within their quotas: of the endpoints in `refill` first, then of others in the order of their
 * ids. The scan jumps from endpoint to endpoint in the index (`next`), so a backlog does not slow it down. It skips
 * endpoints that another worker has leased, and paused, disabled and deleted webhooks.
 *
 * A claim counts the attempt and stores when the next one may begin if this one is never settled. A delivery without
 * attempts left, or with an event that the webhook may no longer receive, fails.
 */
export const claimDeliveries = (sender: Queries, request: ClaimQuery) => {
  const now = new Date(request.now)
  const quotas = [...request.quotas]
  const workspaceQuotas = [...request.workspaceQuotas]
  const due = sql`status = 'pending' and due_at <= ${new Date(Math.max(request.now, request.wall))}
        and (attempt = 0 or due_at <= ${now}) and (claimed_until is null or claimed_until <= ${now})`
  return sender.many(ClaimRow)`
  with recursive quota as materialized (
    select * from unnest(${quotas.map(([id]) => id)}::text[], ${quotas.map(([, n]) => n)}::integer[])
      as quota (webhook_id, quota)
  ), workspace_quota as materialized (
    select * from unnest(${workspaceQuotas.map(([id]) => id)}::text[], ${workspaceQuotas.map(([, n]) => n)}::integer[])
      as quota (workspace_id, quota)
  ), elsewhere as materialized (
    select webhook_id from webhook_leases where worker <> ${request.worker} and leased_until > ${now}
  ), next as (
    (select workspace_id, webhook_id, 1 as place from webhook_deliveries
     where status = 'pending' and webhook_id > ${request.after} and ${request.scan} order by webhook_id limit 1)
    union all
    select found.workspace_id, found.webhook_id, next.place + 1 from next cross join lateral (
      select workspace_id, webhook_id from webhook_deliveries
      where status = 'pending' and webhook_id > next.webhook_id order by webhook_id limit 1) found
    where next.place < ${scanned}
  ), due as materialized (
    (select delivery.*, 0 as turn from unnest(${request.refill}::text[]) as refill (webhook_id) cross join lateral (
       select workspace_id, webhook_id, id, event_id, due_at from webhook_deliveries
       where webhook_id = refill.webhook_id and ${due}
       order by due_at, id
       limit coalesce((select quota from quota where quota.webhook_id = refill.webhook_id), ${request.defaultQuota})) delivery
     where refill.webhook_id not in (select webhook_id from elsewhere)
     limit ${request.limit})
    union all
    (select delivery.*, 1 as turn from next cross join lateral (
       select 1 from webhooks w
       where w.workspace_id = next.workspace_id and w.id = next.webhook_id and not w.paused and w.disabled_at is null
       limit 1) active cross join lateral (
       select workspace_id, webhook_id, id, event_id, due_at from webhook_deliveries
       where webhook_id = next.webhook_id and ${due}
       order by due_at, id
       limit coalesce((select quota from quota where quota.webhook_id = next.webhook_id), ${request.defaultQuota})) delivery
     where next.webhook_id not in (select webhook_id from elsewhere) and next.webhook_id <> all (${request.refill}::text[])
     limit ${request.limit})
  ), ranked as (
    select due.*, w.scopes, w.failing_since is not null as failing,
      row_number() over (partition by due.workspace_id order by turn, due.due_at, due.id) as of_workspace
    from due join webhooks w on w.workspace_id = due.workspace_id and w.id = due.webhook_id
    where not w.paused and w.disabled_at is null
  ), fitting as (
    select ranked.*, row_number() over (partition by failing order by turn, due_at, id) as of_failing from ranked
    where of_workspace <= coalesce(
      (select quota from workspace_quota where workspace_quota.workspace_id = ranked.workspace_id),
      ${request.defaultWorkspaceQuota})
  ), free as materialized (
    -- Locked rows are left for the next claim: a claim never waits.
    select r.* from fitting r join webhook_deliveries d
      on d.workspace_id = r.workspace_id and d.webhook_id = r.webhook_id and d.id = r.id
    where (not r.failing or r.of_failing <= ${request.failingQuota}) and d.status = 'pending' and d.due_at = r.due_at
    for update of d skip locked
  ), claimed as (
    update webhook_deliveries d set
      status = case when d.attempt < ${maxAttempts} and d.scope = any (r.scopes) then 'pending' else 'failed' end,
      attempt = least(d.attempt + 1, ${maxAttempts}),
      claimed_by = case when d.attempt < ${maxAttempts} and d.scope = any (r.scopes) then ${request.worker} end,
      claimed_until = ${now}::timestamptz
        + (${unreportedDelaysMs}::integer[])[least(d.attempt + 1, ${maxAttempts})] * interval '1 millisecond',
      updated_at = ${new Date(request.wall)}
    from free r cross join lateral (
      -- A lookup by the whole key: as a join, planned while the table was small, it read all payloads of a workspace.
      select body from webhook_payloads p where p.workspace_id = r.workspace_id and p.event_id = r.event_id limit 1) p
    where d.workspace_id = r.workspace_id and d.webhook_id = r.webhook_id and d.id = r.id
    returning d.workspace_id, d.webhook_id, d.id, d.event_id, d.event, d.attempt, d.claimed_until, d.status, p.body,
      r.failing
  ), leased as (
    insert into webhook_leases (workspace_id, webhook_id, worker, leased_until)
    select distinct workspace_id, webhook_id, ${request.worker}, ${new Date(request.now + endpointLeaseMs)}::timestamptz from claimed
    on conflict (workspace_id, webhook_id) do update set worker = excluded.worker, leased_until = excluded.leased_until
    where webhook_leases.worker <> excluded.worker or webhook_leases.leased_until < ${new Date(request.now + leaseMs)}
  ), sendable as (
    select *, row_number() over (partition by webhook_id order by id) as of_webhook from claimed
    where status = 'pending'
  )
  select
    case when (select count(*) from due where turn = 1) >= ${request.limit} then (select max(webhook_id) from due where turn = 1)
      when (select count(*) from next) >= ${scanned} then (select max(webhook_id) from next)
      else '' end as after,
    c.id, c.workspace_id, c.webhook_id, c.event_id, c.event, c.attempt, c.claimed_until, c.body, c.failing, w.url,
    w.secret, w.previous_secret, w.previous_secret_until
  from (select 1) as always
  left join sendable c on true
  left join webhooks w on c.of_webhook = 1 and w.workspace_id = c.workspace_id and w.id = c.webhook_id
  order by c.id`
}

export interface Settled {
  workspaceId: string
  webhookId: string
  id: string
  attempt: number
  /** Identifies the claim: a worker can claim the same attempt again after releasing it. */
  claimedUntil: string
  status: 'delivered' | 'pending' | 'failed'
  dueAt: number
  /** The attempt as JSON for the log; undefined if it was not made, and then it does not count. */
  record: string | undefined
}

/** Attempts kept in the log of a delivery, of all rounds. */
const keptAttempts = 25

/**
 * Records the results of attempts. Skips deliveries that are deleted or that another worker has claimed in the meantime:
 * the last claim wins.
 */
export const settleDeliveries = (sender: Queries, worker: string, settled: readonly Settled[], wall: Date) =>
  sender.run`
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
      and d.claimed_by = ${worker} and d.attempt = s.attempt and d.claimed_until = s.claimed_until`

/** Releases the endpoints of a worker that stops, so that others can take them at once. */
export const releaseEndpointLeases = (sender: Queries, worker: string) =>
  sender.run`delete from webhook_leases where worker = ${worker}`
