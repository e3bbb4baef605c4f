import { type Claimed, type Lane, ahead, held, isSuspect, learn, newLane } from './lane.ts'
import { type Limits, defaultLimits } from './limits.ts'
import type { Claim, ClaimOrder, Ports, Settlement } from './ports.ts'
import { leaseMs, maxWaitMs } from './schedule.ts'
import { type Slots, callNext, giveBack, newSlots, take } from './slots.ts'
import { type Outcome, verdictOn } from './verdict.ts'

export interface Worker {
  start(): void
  /** Takes nothing new, gives back what waits, and calls when what is in flight has been written down. */
  stop(done: () => void): void
}

/**
 * Delivers until stopped: claims, sends, settles, all of it decided here and nothing of it done here, so that the same
 * code runs in a server and in a simulation.
 *
 * - An endpoint's deliveries stand in a lane of their own. A lane sends `width` at once and is given as many in advance
 *   as it is known to take in half a second; one that fails or is slow sends from a share of the slots that leaves the
 *   rest to the others, and no workspace has more than its own share.
 * - What waits for longer than a second after its claim is given back: within its lease an attempt must begin, end and
 *   be settled.
 * - What ended is settled as soon as a settlement is free, with all else that has ended by then.
 */
export function createWorker<D extends Claimed, O extends Outcome>(
  ports: Ports<D, O>,
  limits: Limits = defaultLimits,
): Worker {
  const lanes = new Map<string, Lane<D>>()
  const total = newSlots<Lane<D>>(limits.total)
  const suspects = newSlots<Lane<D>>(limits.suspects)
  const workspaces = new Map<string, { slots: Slots<Lane<D>>; held: number }>()
  /** Lanes that may send, in turn. */
  const line: Lane<D>[] = []
  /** Lanes that want more before the next look around. */
  const hungry = new Set<Lane<D>>()
  /** Ended or given back, to be settled before the lease is over. */
  const ended: { settlement: Settlement<D, O>; until: number }[] = []
  let inHand = 0
  /** Whether it is time to look for new work, and to write down what has ended. */
  let mayLook = true
  let maySettle = true
  let claiming = false
  let after = ''
  let looking = false
  let looksInVain = 0
  let settling = 0
  let stopped: (() => void) | undefined

  function workspaceOf({ workspaceId }: Lane<D>) {
    const known = workspaces.get(workspaceId) ?? { slots: newSlots<Lane<D>>(limits.perWorkspace), held: 0 }
    workspaces.set(workspaceId, known)
    return known
  }

  function queue(lane: Lane<D>): void {
    if (lane.queued || lane.waiting.length === 0 || lane.inFlight >= lane.width) return
    lane.queued = true
    line.push(lane)
  }

  function sendAll(): void {
    for (let lane = line.shift(); lane !== undefined; lane = line.shift()) {
      const shared = [workspaceOf(lane).slots, total]
      const slots = isSuspect(lane, limits) ? [suspects, ...shared] : shared
      // Parked, it stays queued: whoever frees a slot puts it back in line.
      if (take(slots, lane)) {
        lane.queued = false
        if (!sendNext(lane, slots)) line.push(...giveBack(slots))
        queue(lane)
      }
      // It may have been called for a slot that it did not take: that goes to the next.
      line.push(...callNext([suspects, ...shared]))
    }
  }

  function sendNext(lane: Lane<D>, slots: readonly Slots<Lane<D>>[]): boolean {
    for (let next = lane.waiting.shift(); next !== undefined; next = lane.waiting.shift()) {
      const { delivery, claimedAt } = next
      const startedAt = ports.now()
      if (startedAt - claimedAt > maxWaitMs) {
        giveUp(delivery, claimedAt)
        continue
      }
      lane.inFlight++
      ports.send(delivery, (outcome) => {
        const endedAt = ports.now()
        lane.inFlight--
        learn(lane, outcome.ok, endedAt - startedAt, limits)
        const verdict = verdictOn(outcome, delivery.attempt, endedAt)
        const settlement = { delivery, result: { outcome, verdict, startedAt } }
        ended.push({ settlement, until: claimedAt + leaseMs })
        for (const waiting of giveBack(slots)) line.push(waiting)
        queue(lane)
        if (lane.more && held(lane) <= ahead(lane, limits) / 2) hungry.add(lane)
        pump()
      })
      return true
    }
    return false
  }

  function settleAll(): void {
    while (ended.length > 0 && settling < limits.settlements && maySettle) {
      const batch = ended.splice(0, limits.perSettlement)
      settling++
      ports.settle(
        batch.map(({ settlement }) => settlement),
        (written) => {
          settling--
          const at = ports.now()
          // What cannot be written while its lease lasts is let go: the queue will take it for unheard of.
          for (const one of batch) {
            if (!written && at < one.until) ended.push(one)
            else letGo(one.settlement.delivery)
          }
          if (!written && maySettle) {
            maySettle = false
            ports.wake(limits.retryMs, () => {
              maySettle = true
              pump()
            })
          }
          pump()
        },
      )
    }
  }

  function letGo({ workspaceId }: D): void {
    inHand--
    const workspace = workspaces.get(workspaceId)
    if (workspace === undefined) return
    workspace.held--
    if (workspace.held === 0) workspaces.delete(workspaceId)
  }

  function order(now: number): ClaimOrder {
    const rooms = new Map<string, number>()
    let heldBySuspects = 0
    for (const lane of lanes.values()) {
      const count = held(lane)
      if (isSuspect(lane, limits)) heldBySuspects += count
      if (count > 0 || hungry.has(lane)) rooms.set(lane.webhookId, Math.max(0, ahead(lane, limits) - count))
    }
    const workspaceRooms = new Map<string, number>()
    for (const [id, { slots, held: count }] of workspaces) {
      const full = slots.used >= slots.limit
      workspaceRooms.set(id, full ? 0 : Math.max(0, limits.heldPerWorkspace - count))
    }
    return {
      now,
      after,
      limit: Math.min(limits.perClaim, limits.held - inHand),
      rooms,
      hungry: [...hungry].map(({ webhookId }) => webhookId),
      around: mayLook,
      roomElse: limits.firstRoom,
      workspaceRooms,
      workspaceRoomElse: limits.heldPerWorkspace,
      failingRoom: Math.max(0, limits.suspects - heldBySuspects),
    }
  }

  function claimMore(): void {
    if (stopped !== undefined || claiming || !(mayLook || hungry.size > 0)) return
    if (!hasRoom()) return lookAfter(limits.pollMs)
    const asked = order(ports.now())
    claiming = true
    mayLook = false
    hungry.clear()
    ports.claim(asked, (claim) => {
      claiming = false
      if (claim !== undefined) accept(asked, claim)
      if (claim === undefined) lookAfter(limits.retryMs)
      else if (asked.around) lookAfter(pauseAfter(claim, asked))
      pump()
    })
  }

  function lookAfter(pauseMs: number): void {
    mayLook = pauseMs === 0
    if (mayLook || looking) return
    looking = true
    ports.wake(pauseMs, () => {
      looking = false
      mayLook = true
      giveBackStale()
      pump()
    })
  }

  /** Those whose lanes found no slot. */
  function giveBackStale(): void {
    const oldest = ports.now() - maxWaitMs
    for (const { waiting } of lanes.values()) {
      const kept = waiting.findIndex(({ claimedAt }) => claimedAt >= oldest)
      for (const { delivery, claimedAt } of waiting.splice(0, kept < 0 ? waiting.length : kept)) {
        giveUp(delivery, claimedAt)
      }
    }
  }

  const hasRoom = () => inHand < limits.held && total.used < total.limit

  function accept({ now, rooms, roomElse, around }: ClaimOrder, { deliveries, after: next }: Claim<D>): void {
    const touched = new Map<Lane<D>, number>()
    for (const delivery of deliveries) {
      const lane = laneOf(delivery)
      touched.set(lane, (touched.get(lane) ?? 0) + 1)
      inHand++
      workspaceOf(lane).held++
      if (stopped === undefined) lane.waiting.push({ delivery, claimedAt: now })
      else giveUp(delivery, now)
    }
    for (const [lane, count] of touched) {
      lane.more = count >= (rooms.get(lane.webhookId) ?? roomElse)
      queue(lane)
    }
    if (around) after = next
    looksInVain = deliveries.length > 0 ? 0 : looksInVain + 1
  }

  /** How long until the next look: none where the last one was cut short, a step where it has not been all around. */
  function pauseAfter({ deliveries: { length: found } }: Claim<D>, { limit }: ClaimOrder): number {
    if (found >= limit) return 0
    if (after !== '') return found > 0 ? 0 : limits.stepMs
    return looksInVain < limits.restlessLooks ? limits.pollMs : limits.idlePollMs
  }

  function laneOf(delivery: D): Lane<D> {
    const known = lanes.get(delivery.webhookId)
    if (known !== undefined) return known
    if (lanes.size >= limits.lanes) forgetIdleLanes()
    const lane = newLane<D>(delivery, limits)
    lanes.set(delivery.webhookId, lane)
    return lane
  }

  function forgetIdleLanes(): void {
    for (const lane of lanes.values()) if (held(lane) === 0) lanes.delete(lane.webhookId)
  }

  /** Nothing is said of an attempt that was not made: the delivery goes back as if never claimed. */
  function giveUp(delivery: D, claimedAt: number): void {
    ended.push({ settlement: { delivery, result: undefined }, until: claimedAt + leaseMs })
  }

  function pump(): void {
    sendAll()
    settleAll()
    claimMore()
    if (inHand === 0 && !claiming) stopped?.()
  }

  return {
    start: pump,
    stop(done) {
      let told = false
      stopped = () => {
        if (!told) done()
        told = true
      }
      for (const { waiting } of lanes.values()) {
        for (const { delivery, claimedAt } of waiting.splice(0)) giveUp(delivery, claimedAt)
      }
      pump()
    },
  }
}
