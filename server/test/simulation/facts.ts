import type { Claimed } from '../../src/modules/deliveries/dispatcher/endpoint-queue.ts'
import type { MannerName, Behavior } from './receivers.ts'

/** What really happened. The product does not see these facts. */

export interface Endpoint {
  workspaceId: string
  id: string
  behavior: Behavior
  /** Since when there may be no attempt; undefined while there may. */
  removedAt: number | undefined
  pausedSince: number | undefined
  scopeLostAt: number | undefined
  /** Since when nothing that people do has stood in its way. */
  openSince: number
  /** Whether an attempt has ever failed, as far as its worker knows. */
  hasFailed: boolean
  /** Attempts that the receiver is at. */
  inFlight: number
  /** When it had last all in flight that a worker that does not know it may send. */
  fullAt: number
}

export interface Delivery {
  endpoint: Endpoint
  id: string
  scope: string
  body: string
  /** Claims of the current round, without released ones. */
  counted: number
  /** Attempts of the present round that began. */
  begun: number
  /** When the next attempt should begin. */
  due: number
  /** The attempt that began last, in whatever round. */
  last: Attempt | undefined
  /** Whether that was in the present round. */
  lastIsOfRound: boolean
  claim: ClaimFact | undefined
  over: 'delivered' | 'failed' | undefined
}

/** One delivery as it was claimed once. */
export interface ClaimFact {
  delivery: Delivery
  host: Host
  attempt: number
  askedAt: number
  receivedAt: number | undefined
  dueBefore: number
  sent: Attempt | undefined
  /** Its worker could not report it: it was killed or paused, never received the claim, or lost it. */
  cutOff: boolean
  /** How often it could not be settled, and when first. */
  failedSettlements: number
  failedSettlementAt: number
}

export interface Attempt {
  claim: ClaimFact
  startedAt: number
  /** When the receiver has responded or the exchange was cut. */
  endsAt: number
  ok: boolean
  /** What its worker made of it, and when. */
  reportedAt: number | undefined
  reportedOk: boolean
  degraded: boolean
}

/** What a worker is given to send. */
export interface Sendable extends Claimed {
  body: string
  claimedUntil: number
  claim: ClaimFact
}

/** A process with one worker in it. */
export interface Host {
  readonly name: string
  /** How far its clock is off. */
  readonly skew: number
  state: 'running' | 'paused' | 'gone'
  stoppingSince: number | undefined
  /** Whether it has come to the end of its stop. */
  stopped: boolean
  claiming: boolean
  /** Whether new deliveries wake it. */
  listening: boolean
  wake(): void
  /** Whether it has ever been paused. */
  slept: boolean
  /** Sent and, as far as it knows, not ended. */
  sending: Set<Attempt>
  /** Claims that took effect and are not settled. */
  open: Set<ClaimFact>
  /** The claims that it received, with the time until which it counts as their holder. */
  leased: Map<string, { claim: ClaimFact; until: number }>
  /** What it must know of endpoints. */
  known: Map<string, Known>
  /** Claims that brought nothing, within the present second. */
  inVain: { since: number; count: number }
}

export interface Known {
  /** The result of the last exchange, or what the first claim said. */
  failing: boolean
  exchanges: number
  quickestMs: number
}

export const newEndpoint = (workspaceId: string, id: string, behavior: Behavior, now: number): Endpoint => ({
  workspaceId,
  id,
  behavior,
  removedAt: undefined,
  pausedSince: undefined,
  scopeLostAt: undefined,
  openSince: now,
  hasFailed: false,
  inFlight: 0,
  fullAt: 0,
})

export const newDelivery = (endpoint: Endpoint, id: string, scope: string, now: number): Delivery => ({
  endpoint,
  id,
  scope,
  body: `{"id":"${id}"}`,
  counted: 0,
  begun: 0,
  due: now,
  last: undefined,
  lastIsOfRound: false,
  claim: undefined,
  over: undefined,
})

export const newHost = (name: string, skew: number, wake: () => void): Host => ({
  name,
  skew,
  state: 'running',
  stoppingSince: undefined,
  stopped: false,
  claiming: false,
  listening: false,
  wake,
  slept: false,
  sending: new Set(),
  open: new Set(),
  leased: new Map(),
  known: new Map(),
  inVain: { since: 0, count: 0 },
})

/** How often each thing happened, so that a run can report its coverage. */
export type Counters = Record<string, number>

export const mannerAt = ({ first, later, changesAt }: Behavior, now: number): MannerName =>
  now < changesAt ? first : later
