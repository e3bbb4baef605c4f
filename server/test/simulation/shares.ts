import type { Limits } from '../../src/modules/deliveries/limits.ts'
import type { ClaimQuery } from '../../src/modules/deliveries/queue-queries.ts'
import { maxWaitMs } from '../../src/modules/deliveries/schedule.ts'
import type { Attempt, ClaimFact, Host } from './facts.ts'
import type { ClaimedRows } from './queue-model.ts'
import { mustBe } from './violation.ts'

/** One worker keeps to what each endpoint, each workspace and those that fail may have of it at once. */
export function expectShares(host: Host, { claim, suspect }: Attempt, limits: Limits): void {
  const { endpoint } = claim.delivery
  let ofEndpoint = 0
  let ofWorkspace = 0
  let ofSuspects = 0
  for (const one of host.sending) {
    const its = one.claim.delivery.endpoint
    if (its === endpoint) ofEndpoint++
    if (its.workspaceId === endpoint.workspaceId) ofWorkspace++
    if (one.suspect) ofSuspects++
  }
  const within = (count: number, most: number, of: string) =>
    mustBe(count <= most, () => `${host.name} has ${count} of ${of} in flight, and ${most} at most may be`)
  within(host.sending.size, limits.total, 'all')
  within(ofWorkspace, limits.perWorkspace, endpoint.workspaceId)
  within(ofEndpoint, limits.perEndpoint, endpoint.id)
  // A worker forgets endpoints when it has seen more than that, and then knows less of them than we do.
  if (host.known.size > limits.lanes) return
  if (suspect) within(ofSuspects, limits.suspects, 'those that fail or are slow')
  const known = host.known.get(endpoint.id)
  if (known?.failing === false && known.exchanges === 0)
    within(ofEndpoint, limits.perNewEndpoint, `${endpoint.id}, which is new,`)
}

/** What is in the worker's hands, waiting or not yet settled, has a bound of its own. */
export function expectBoundedHands(
  { name, told }: Host,
  now: number,
  troubledUntil: number,
  limits: Limits,
): void {
  const ofWorkspaces = new Map<string, number>()
  let count = 0
  for (const { claim, until } of told.values()) {
    if (until <= now) continue
    expectNotKept(name, claim, now - Math.max(claim.askedAt, troubledUntil), limits)
    const { workspaceId } = claim.delivery.endpoint
    count++
    ofWorkspaces.set(workspaceId, (ofWorkspaces.get(workspaceId) ?? 0) + 1)
  }
  // One claim may bring its limit twice: of hungry endpoints, and of others.
  mustBe(count <= limits.held + limits.perClaim, () => `${name} has ${count} in hand`)
  for (const [id, ofWorkspace] of ofWorkspaces)
    mustBe(ofWorkspace <= limits.heldPerWorkspace, () => `${name} has ${ofWorkspace} of ${id} in hand`)
}

/** What waits for longer than it may is given back at the next look. */
function expectNotKept(
  name: string,
  { sent, askedAt, toldAt, silenced, refusals, delivery: { id } }: ClaimFact,
  waits: number,
  { idlePollMs }: Limits,
): void {
  const isWaiting = sent === undefined && toldAt !== undefined && toldAt < askedAt + 100
  mustBe(
    !isWaiting || silenced || refusals > 0 || waits < maxWaitMs + 2 * idlePollMs,
    () => `${name} has kept ${id} for ${waits} ms and not sent it`,
  )
}

/** A claim brings no more than there is room for. */
export function expectRooms(query: ClaimQuery, { rows }: ClaimedRows): void {
  const { rooms, roomElse, workspaceRooms, workspaceRoomElse, failingRoom, limit } = query
  const counts = new Map<string, number>()
  const within = (what: string, room: number) => {
    const count = (counts.get(what) ?? 0) + 1
    counts.set(what, count)
    mustBe(count <= room, () => `a claim brings ${count} of ${what}, for which there is room for ${room}`)
  }
  for (const { row, failing } of rows) {
    within(row.webhookId, rooms.get(row.webhookId) ?? roomElse)
    within(row.workspaceId, workspaceRooms.get(row.workspaceId) ?? workspaceRoomElse)
    if (failing) within('those that fail', failingRoom)
    within('all', 2 * limit)
  }
}
