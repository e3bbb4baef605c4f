import type { Claimed } from '../../src/modules/deliveries/lane.ts'
import type { MannerName, Temper } from './receivers.ts'

/** What really happened, as somebody sees it who stands outside; no decision of the product is taken by it. */

export interface Endpoint {
  workspaceId: string
  id: string
  temper: Temper
  /** Since when there may be no attempt; undefined while there may. */
  removedAt: number | undefined
  restsSince: number | undefined
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
  /** Claims of the present round, those given back not counted. */
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
  toldAt: number | undefined
  dueBefore: number
  sent: Attempt | undefined
  /** Whether its worker could not speak of it: it was killed or paused, or was never told, or lost the claim. */
  silenced: boolean
  /** How often it could not be settled, and when first. */
  refusals: number
  refusedAt: number
}

export interface Attempt {
  claim: ClaimFact
  startedAt: number
  /** When the receiver has answered or the exchange was cut. */
  endsAt: number
  ok: boolean
  /** What its worker made of it, and when. */
  heardAt: number | undefined
  heardOk: boolean
  suspect: boolean
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
  /** Whether it has ever been paused. */
  slept: boolean
  /** Sent and, as far as it has heard, not ended. */
  sending: Set<Attempt>
  /** Claims that took effect and are not settled. */
  open: Set<ClaimFact>
  /** What it was told of, with the time until which it is believed to have it. */
  told: Map<string, { claim: ClaimFact; until: number }>
  /** What it must know of endpoints. */
  known: Map<string, Known>
  /** Claims that brought nothing, within the present second. */
  inVain: { since: number; count: number }
}

export interface Known {
  /** How the last exchange ended, or what the first claim said. */
  failing: boolean
  exchanges: number
  quickestMs: number
}

export const newEndpoint = (workspaceId: string, id: string, temper: Temper, now: number): Endpoint => ({
  workspaceId,
  id,
  temper,
  removedAt: undefined,
  restsSince: undefined,
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

export const newHost = (name: string, skew: number): Host => ({
  name,
  skew,
  state: 'running',
  stoppingSince: undefined,
  stopped: false,
  claiming: false,
  slept: false,
  sending: new Set(),
  open: new Set(),
  told: new Map(),
  known: new Map(),
  inVain: { since: 0, count: 0 },
})

/** How often each thing came to pass, so that a run can say what it has seen. */
export type Counters = Record<string, number>

export const mannerAt = ({ first, later, changesAt }: Temper, now: number): MannerName =>
  now < changesAt ? first : later
