import type { Limits } from './limits.ts'

/** One delivery in a worker's hands. What else it takes to send it is no matter of the worker's decisions. */
export interface Claimed {
  workspaceId: string
  webhookId: string
  id: string
  /** The number of this attempt in its round, from 1. */
  attempt: number
  /** Whether its endpoint has done nothing but fail of late. */
  failing: boolean
}

/** The deliveries of one endpoint that are in hand, and what is known of the endpoint. */
export interface Lane<D> {
  readonly webhookId: string
  readonly workspaceId: string
  /** Claimed and not yet sent, oldest first, with the time of their claim. */
  waiting: { delivery: D; claimedAt: number }[]
  inFlight: number
  /** Attempts that may be in flight. */
  width: number
  failing: boolean
  /** How long an exchange takes, a running mean in milliseconds; undefined until one has ended. */
  paceMs: number | undefined
  /** Whether its last claim got all that it asked for, so that there may be more. */
  more: boolean
  /** Whether it stands in the line of those that may send. */
  queued: boolean
}

export const newLane = <D>({ webhookId, workspaceId, failing }: Claimed, limits: Limits): Lane<D> => ({
  webhookId,
  workspaceId,
  waiting: [],
  inFlight: 0,
  width: failing ? limits.perEndpoint : limits.perNewEndpoint,
  failing,
  paceMs: undefined,
  more: false,
  queued: false,
})

export const held = <D>(lane: Lane<D>): number => lane.waiting.length + lane.inFlight

/** Whether it may only use the slots that are set aside for endpoints which hold them long. */
export const isSuspect = <D>({ failing, paceMs }: Lane<D>, { slowMs }: Limits): boolean =>
  failing || (paceMs ?? 0) > slowMs

/** How many deliveries of the endpoint are worth having in hand: what it takes in half a second, at the least one each slot. */
export function ahead<D>(lane: Lane<D>, limits: Limits): number {
  if (lane.paceMs === undefined || isSuspect(lane, limits)) return lane.width
  const rounds = Math.floor(limits.aheadMs / Math.max(lane.paceMs, 0.1))
  return Math.min(Math.max(lane.width * rounds, lane.width), limits.ahead)
}

/** Learns from an exchange that has ended. */
export function learn<D>(lane: Lane<D>, ok: boolean, durationMs: number, limits: Limits): void {
  lane.paceMs = lane.paceMs === undefined ? durationMs : lane.paceMs + (durationMs - lane.paceMs) / 8
  lane.failing = !ok
  lane.width = ok ? Math.min(lane.width * 2, limits.perEndpoint) : limits.perEndpoint
}
