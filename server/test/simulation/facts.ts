import type { Claimed } from '../../src/modules/deliveries/dispatcher/endpoint-queue.ts'
import type { MannerName, Behavior } from './receivers.ts'

/** What really happened. The product does not see these facts. */

export interface Endpoint {
  workspaceId: string
  id: string
  behavior: Behavior
  /** Since when no attempt may begin; undefined while attempts are allowed. */
  removedAt: number | undefined
  pausedSince: number | undefined
  scopeLostAt: number | undefined
  /** Since when no action by a person has prevented deliveries. */
  openSince: number
  /** Whether an attempt has ever failed, from its worker's point of view. */
  hasFailed: boolean
  /** Attempts that the receiver is processing. */
  inFlight: number
  /** When it last had as many attempts in flight as a worker may send to a new endpoint. */
  fullAt: number
}

export interface Delivery {
  endpoint: Endpoint
  id: string
  scope: string
  body: string
  /** Claims in the current round, without released ones. */
  counted: number
  /** Attempts that began in the current round. */
  begun: number
  /** When the next attempt should begin. */
  due: number
  /** The attempt that began last, in any round. */
  last: Attempt | undefined
  /** Whether `last` belongs to the current round. */
  lastIsOfRound: boolean
  claim: ClaimFact | undefined
  over: 'delivered' | 'failed' | undefined
}

/** One claim of a delivery. */
export interface ClaimFact {
  delivery: Delivery
  host: Host
  attempt: number
  askedAt: number
  receivedAt: number | undefined
  dueBefore: number
  sent: Attempt | undefined
  /** Whether the worker could not report the claim: it was killed or paused, never received the claim, or lost it. */
  cutOff: boolean
  /** How many settlements of it failed, and when the first one did. */
  failedSettlements: number
  failedSettlementAt: number
}

export interface Attempt {
  claim: ClaimFact
  startedAt: number
  /** When the receiver responded or the exchange was cut off. */
  endsAt: number
  ok: boolean
  /** When its worker saw the outcome, and what it saw. */
  reportedAt: number | undefined
  reportedOk: boolean
  degraded: boolean
}

/** What a worker receives to send. */
export interface Sendable extends Claimed {
  body: string
  claimedUntil: number
  claim: ClaimFact
}

/** A process with one worker. */
export interface Host {
  readonly name: string
  /** How far its clock is off. */
  readonly skew: number
  state: 'running' | 'paused' | 'gone'
  stoppingSince: number | undefined
  /** Whether it has finished stopping. */
  stopped: boolean
  claiming: boolean
  /** Whether new deliveries wake it. */
  listening: boolean
  wake(): void
  /** Whether it has ever been paused. */
  slept: boolean
  /** Attempts that were sent and, as far as it knows, have not ended. */
  sending: Set<Attempt>
  /** Claims that took effect and are not settled yet. */
  open: Set<ClaimFact>
  /** The claims that it received, with the time until which it counts as their holder. */
  leased: Map<string, { claim: ClaimFact; until: number }>
  /** What it must know about endpoints. */
  known: Map<string, Known>
  /** Empty claims within the current second. */
  inVain: { since: number; count: number }
}

export interface Known {
  /** The result of the last exchange. Before the first one, what the first claim stated. */
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
