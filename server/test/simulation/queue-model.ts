import type { ClaimQuery as Query } from '../../src/modules/deliveries/dispatcher/queue-queries.ts'
import {
  endpointLeaseMs,
  leaseMs,
  maxAttempts,
  retryDelaysMs,
  unreportedDelaysMs,
} from '../../src/modules/deliveries/dispatcher/schedule.ts'

/** `present`: PostgreSQL's clock, by which claims and leases are stamped and compared, in epoch milliseconds. */
export type ClaimQuery = Query & { present: number }

/** A row of `webhook_deliveries`, with the columns that the queue uses for its decisions. */
export interface Row {
  readonly workspaceId: string
  readonly webhookId: string
  readonly id: string
  readonly scope: string
  status: 'pending' | 'delivered' | 'failed'
  attempt: number
  dueAt: number
  claimedBy: string | undefined
  claimedUntil: number | undefined
  /** The number of attempts in its log. */
  logged: number
}

/** A row of `webhooks`. */
export interface Hook {
  readonly workspaceId: string
  readonly id: string
  scopes: readonly string[]
  paused: boolean
  disabled: boolean
  failing: boolean
}

interface Endpoint {
  hook: Hook | undefined
  /** All deliveries of the endpoint. */
  rows: Map<string, Row>
  /** The pending deliveries, ordered by due time and id. */
  pending: Row[]
  /** Its row of `webhook_leases`. */
  lease: EndpointLease | undefined
}

export interface EndpointLease {
  worker: string
  until: number
}

/** The settlement of one claim. */
export interface SettledRow {
  webhookId: string
  id: string
  attempt: number
  /** Identifies the claim. */
  claimedUntil: number
  status: Row['status']
  dueAt: number
  /** Whether an attempt was made. If not, nothing is logged, and the attempt does not count. */
  made: boolean
}

export interface ClaimedRows {
  rows: readonly { row: Row; failing: boolean }[]
  /** Deliveries that the claim found to be over. */
  over: readonly Row[]
  after: string
}

/** The table of deliveries in memory. model.test.ts compares it with PostgreSQL. */
export interface QueueModel {
  addHook(hook: Hook): void
  hook(id: string): Hook | undefined
  removeHook(id: string): void
  insert(row: Pick<Row, 'workspaceId' | 'webhookId' | 'id' | 'scope' | 'dueAt'>): Row
  /** The ids of all webhooks, including removed ones. */
  webhookIds(): readonly string[]
  rows(webhookId: string): readonly Row[]
  lease(webhookId: string): EndpointLease | undefined
  claim(query: ClaimQuery): ClaimedRows
  /** Returns whether the claim was still valid. */
  settle(worker: string, settled: SettledRow): boolean
  /** Releases everything that a worker holds. */
  release(worker: string): void
  recordHealth(webhookId: string, failing: boolean): void
  /** Drops the claims of attempts in progress, as an erasure does. */
  dropClaims(webhookId: string): void
  requeue(webhookId: string, id: string, now: number): boolean
  failPending(webhookId: string, now: number): void
  forget(webhookId: string): void
}

/** How many attempts the log of a delivery keeps. */
const keptAttempts = 25

const isActive = (hook: Hook | undefined): hook is Hook =>
  hook !== undefined && !hook.paused && !hook.disabled

const byDue = (one: Row, other: Row): number => one.dueAt - other.dueAt || (one.id < other.id ? -1 : 1)

/**
 * `scanned` is the number of endpoints that one claim scans, apart from refilled ones. `isLocked` returns whether
 * another statement has locked the row; a claim skips a locked row.
 */
export function newQueueModel(scanned = 1000, isLocked: (row: Row) => boolean = () => false): QueueModel {
  const endpoints = new Map<string, Endpoint>()
  /** The endpoint ids in order. */
  let places: string[] = []

  function endpointOf(webhookId: string): Endpoint {
    const known = endpoints.get(webhookId)
    if (known !== undefined) return known
    const made = { hook: undefined, rows: new Map(), pending: [], lease: undefined }
    endpoints.set(webhookId, made)
    places = [...endpoints.keys()].sort()
    return made
  }

  /** Changes a row and keeps `pending` in order. */
  function change(row: Row, next: Partial<Row>): void {
    const { pending } = endpointOf(row.webhookId)
    const moves = next.dueAt !== undefined || next.status !== row.status
    if (row.status === 'pending' && moves) pending.splice(pending.indexOf(row), 1)
    Object.assign(row, next)
    if (row.status !== 'pending' || !moves) return
    let at = pending.length
    for (
      let before = pending[at - 1];
      before !== undefined && byDue(row, before) < 0;
      before = pending[at - 1]
    )
      at--
    pending.splice(at, 0, row)
  }

  /** A claim or lease that ends later than it lasts was stamped while the clock was wrong. */
  const isOver = (until: number, lastsMs: number, present: number) =>
    until <= present || until > present + lastsMs + 1000

  const isUnclaimed = ({ claimedUntil, attempt }: Row, present: number) =>
    claimedUntil === undefined ||
    isOver(claimedUntil, unreportedDelaysMs[Math.max(attempt, 1) - 1] ?? 0, present)

  const isInFlight = (row: Row, present: number) =>
    row.status === 'pending' &&
    row.claimedBy !== undefined &&
    (row.claimedUntil ?? 0) - (retryDelaysMs[row.attempt - 1] ?? 0) > present &&
    !isUnclaimed(row, present)

  function dueOf(
    { hook, pending, lease }: Endpoint,
    { worker, now, wall, present }: ClaimQuery,
    limit: number,
  ): Row[] {
    const found: Row[] = []
    if (!isActive(hook)) return found
    const isElsewhere = lease !== undefined && lease.worker !== worker
    if (isElsewhere && !isOver(lease.until, endpointLeaseMs, present)) return found
    for (const row of pending) {
      if (row.dueAt > Math.max(now, wall) || found.length >= limit) break
      if ((row.attempt === 0 || row.dueAt <= now) && isUnclaimed(row, present)) found.push(row)
    }
    return found
  }

  function take(row: Row, hook: Hook, { present, worker }: ClaimQuery): boolean {
    const goesOut = row.attempt < maxAttempts && hook.scopes.includes(row.scope)
    const attempt = Math.min(row.attempt + 1, maxAttempts)
    change(row, {
      status: goesOut ? 'pending' : 'failed',
      attempt,
      claimedBy: goesOut ? worker : undefined,
      claimedUntil: present + (unreportedDelaysMs[attempt - 1] ?? 0),
    })
    const endpoint = endpointOf(row.webhookId)
    const { lease } = endpoint
    const isOwn = lease?.worker === worker && !isOver(lease.until, endpointLeaseMs, present)
    if (!isOwn || lease.until < present + leaseMs)
      endpoint.lease = { worker, until: present + endpointLeaseMs }
    return goesOut
  }

  /** Returns the deliveries that can be claimed, starting with those of `refill` endpoints. */
  function scanEndpoints(query: ClaimQuery): { found: Row[]; refill: number; after: string } {
    const found: Row[] = []
    for (const { webhookId: id } of query.refill) {
      const room = query.quotas.get(id) ?? query.defaultQuota
      found.push(...dueOf(endpointOf(id), query, Math.min(room, query.limit - found.length)))
    }
    const refill = found.length
    let seen = 0
    let last = ''
    for (const id of query.scan ? places : []) {
      if (id <= query.after) continue
      const endpoint = endpointOf(id)
      if (endpoint.pending.length === 0) continue
      if (seen === scanned) break
      seen++
      last = id
      if (query.refill.some(({ webhookId }) => webhookId === id)) continue
      const room = query.quotas.get(id) ?? query.defaultQuota
      found.push(...dueOf(endpoint, query, Math.min(room, query.limit - found.length + refill)))
    }
    if (found.length - refill >= query.limit) return { found, refill, after: found.at(-1)?.webhookId ?? '' }
    return { found, refill, after: seen >= scanned ? last : '' }
  }

  function claim(query: ClaimQuery): ClaimedRows {
    const { found, refill, after } = scanEndpoints(query)
    if (found.length === 0) return { rows: [], over: [], after }
    const ranked = [...found.slice(0, refill).sort(byDue), ...found.slice(refill).sort(byDue)]
    const rows: { row: Row; failing: boolean }[] = []
    const over: Row[] = []
    const ofWorkspace = new Map<string, number>()
    let ofFailing = 0
    for (const row of ranked) {
      const { hook } = endpointOf(row.webhookId)
      if (hook === undefined) continue
      const place = (ofWorkspace.get(row.workspaceId) ?? 0) + 1
      ofWorkspace.set(row.workspaceId, place)
      if (place > (query.workspaceQuotas.get(row.workspaceId) ?? query.defaultWorkspaceQuota)) continue
      // Deliveries that exceed their workspace's quota do not count toward the quota of failing endpoints.
      if (hook.failing && ++ofFailing > query.failingQuota) continue
      if (isLocked(row)) continue
      if (take(row, hook, query)) rows.push({ row, failing: hook.failing })
      else over.push(row)
    }
    return { rows, over, after }
  }

  function settle(
    worker: string,
    { webhookId, id, attempt, claimedUntil, status, dueAt, made }: SettledRow,
  ): boolean {
    const row = endpoints.get(webhookId)?.rows.get(id)
    if (row === undefined || row.claimedBy !== worker) return false
    if (row.attempt !== attempt || row.claimedUntil !== claimedUntil) return false
    change(row, {
      status,
      dueAt: made ? dueAt : row.dueAt,
      claimedBy: undefined,
      claimedUntil: undefined,
      attempt: made ? attempt : attempt - 1,
      logged: made ? Math.min(row.logged + 1, keptAttempts) : row.logged,
    })
    return true
  }

  return {
    addHook: (hook) => void (endpointOf(hook.id).hook = hook),
    hook: (id) => endpoints.get(id)?.hook,
    removeHook: (id) => void (endpointOf(id).hook = undefined),
    insert(draft) {
      const endpoint = endpointOf(draft.webhookId)
      const row: Row = {
        ...draft,
        status: 'failed',
        attempt: 0,
        claimedBy: undefined,
        claimedUntil: undefined,
        logged: 0,
      }
      endpoint.rows.set(row.id, row)
      if (endpoint.hook?.disabled !== true) change(row, { status: 'pending' })
      return row
    },
    webhookIds: () => places,
    rows: (webhookId) => [...(endpoints.get(webhookId)?.rows.values() ?? [])],
    lease: (webhookId) => endpoints.get(webhookId)?.lease,
    claim,
    settle,
    release(worker) {
      for (const endpoint of endpoints.values())
        if (endpoint.lease?.worker === worker) endpoint.lease = undefined
    },
    recordHealth(webhookId, failing) {
      const hook = endpoints.get(webhookId)?.hook
      if (hook !== undefined) hook.failing = failing
    },
    dropClaims(webhookId) {
      for (const row of endpointOf(webhookId).rows.values()) row.claimedBy = undefined
    },
    requeue(webhookId, id, now) {
      const row = endpoints.get(webhookId)?.rows.get(id)
      if (row === undefined || isInFlight(row, now)) return false
      const waits = row.status === 'pending'
      change(row, {
        status: 'pending',
        attempt: waits && row.attempt < maxAttempts ? row.attempt : 0,
        dueAt: waits ? Math.min(row.dueAt, now) : now,
        claimedBy: undefined,
        claimedUntil: undefined,
      })
      return true
    },
    failPending(webhookId, now) {
      for (const row of endpointOf(webhookId).pending.slice())
        if (isUnclaimed(row, now)) change(row, { status: 'failed' })
    },
    forget(webhookId) {
      const endpoint = endpointOf(webhookId)
      endpoint.rows.clear()
      endpoint.pending.length = 0
      endpoint.lease = undefined
    },
  }
}
