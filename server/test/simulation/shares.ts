import type { Limits } from '../../src/modules/deliveries/dispatcher/limits.ts'
import type { ClaimQuery } from '../../src/modules/deliveries/dispatcher/queue-queries.ts'
import { maxWaitMs } from '../../src/modules/deliveries/dispatcher/schedule.ts'
import type { Attempt, ClaimFact, Host } from './facts.ts'
import type { ClaimedRows } from './queue-model.ts'
import { mustBe } from './violation.ts'

/** Checks that one worker respects the shares of endpoints, workspaces and degraded endpoints. */
export function expectShares(host: Host, { claim, degraded }: Attempt, limits: Limits): void {
  const { endpoint } = claim.delivery
  let ofEndpoint = 0
  let ofWorkspace = 0
  let ofDegraded = 0
  for (const one of host.sending) {
    const its = one.claim.delivery.endpoint
    if (its === endpoint) ofEndpoint++
    if (its.workspaceId === endpoint.workspaceId) ofWorkspace++
    if (one.degraded) ofDegraded++
  }
  const within = (count: number, most: number, of: string) =>
    mustBe(count <= most, () => `${host.name} has ${count} of ${of} in flight, and ${most} at most may be`)
  within(host.sending.size, limits.total, 'all')
  within(ofWorkspace, limits.perWorkspace, endpoint.workspaceId)
  within(ofEndpoint, limits.perEndpoint, endpoint.id)
  // A worker that has seen more endpoints than it can track forgets some, and then knows less about them than the
  // simulation.
  if (host.known.size > limits.trackedEndpoints) return
  if (degraded) within(ofDegraded, limits.degraded, 'those that fail or are slow')
  const known = host.known.get(endpoint.id)
  if (known?.failing === false && known.exchanges === 0)
    within(ofEndpoint, limits.perNewEndpoint, `${endpoint.id}, which is new,`)
}

/** Checks the limits on the deliveries that the worker holds, waiting or not yet settled. */
export function expectBoundedLeases(
  { name, leased }: Host,
  now: number,
  troubledUntil: number,
  limits: Limits,
): void {
  const ofWorkspaces = new Map<string, number>()
  let count = 0
  for (const { claim, until } of leased.values()) {
    if (until <= now) continue
    expectNotKept(name, claim, now - Math.max(claim.askedAt, troubledUntil), limits)
    const { workspaceId } = claim.delivery.endpoint
    count++
    ofWorkspaces.set(workspaceId, (ofWorkspaces.get(workspaceId) ?? 0) + 1)
  }
  // One claim can reach its limit twice: once for refilled endpoints and once for scanned ones.
  mustBe(count <= limits.leased + limits.perClaim, () => `${name} has ${count} in hand`)
  for (const [id, ofWorkspace] of ofWorkspaces)
    mustBe(ofWorkspace <= limits.leasedPerWorkspace, () => `${name} has ${ofWorkspace} of ${id} in hand`)
}

/** A delivery that has waited too long must be released at the next scan. */
function expectNotKept(
  name: string,
  { sent, askedAt, receivedAt, cutOff, failedSettlements, delivery: { id } }: ClaimFact,
  waits: number,
  { pollMs }: Limits,
): void {
  const isWaiting = sent === undefined && receivedAt !== undefined && receivedAt < askedAt + 100
  mustBe(
    !isWaiting || cutOff || failedSettlements > 0 || waits < maxWaitMs + 4 * pollMs,
    () => `${name} has kept ${id} for ${waits} ms and not sent it`,
  )
}

/** A claim must not return more than its quotas. */
export function expectQuotas(query: ClaimQuery, { rows }: ClaimedRows): void {
  const { quotas, defaultQuota, workspaceQuotas, defaultWorkspaceQuota, failingQuota, limit } = query
  const counts = new Map<string, number>()
  const within = (what: string, room: number) => {
    const count = (counts.get(what) ?? 0) + 1
    counts.set(what, count)
    mustBe(count <= room, () => `a claim brings ${count} of ${what}, for which there is room for ${room}`)
  }
  for (const { row, failing } of rows) {
    within(row.webhookId, quotas.get(row.webhookId) ?? defaultQuota)
    within(row.workspaceId, workspaceQuotas.get(row.workspaceId) ?? defaultWorkspaceQuota)
    if (failing) within('failing endpoints', failingQuota)
    within('all', 2 * limit)
  }
}
