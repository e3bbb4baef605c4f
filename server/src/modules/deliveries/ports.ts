import type { Claimed } from './lane.ts'
import type { Outcome, Verdict } from './verdict.ts'

/** What a worker asks of the queue. Times are milliseconds since the epoch. */
export interface ClaimOrder {
  now: number
  /** Endpoints after this one come first, in the order of their ids; '' from the beginning. */
  after: string
  /** Deliveries at most: of the hungry endpoints, and of the others. */
  limit: number
  /** How many more each endpoint in hand may have. */
  rooms: ReadonlyMap<string, number>
  /** Endpoints that are served before any other. */
  hungry: readonly string[]
  /** Whether to look at others at all. */
  around: boolean
  /** The same for any other endpoint. */
  roomElse: number
  /** How many more a workspace may have, where deliveries of it are in hand. */
  workspaceRooms: ReadonlyMap<string, number>
  workspaceRoomElse: number
  /** How many more of endpoints that fail. */
  failingRoom: number
}

export interface Claim<D> {
  deliveries: readonly D[]
  /** Where the next look goes on; '' when it has been all around. */
  after: string
}

export interface Settlement<D, O> {
  delivery: D
  /** Undefined for one that was never sent: it is given back, and its attempt does not count. */
  result: { outcome: O; verdict: Verdict; startedAt: number } | undefined
}

/** The world as a worker needs it. Nothing calls back before it has returned, and everything calls back once. */
export interface Ports<D extends Claimed, O extends Outcome> {
  now(): number
  /** Undefined: the queue could not be asked. */
  claim(order: ClaimOrder, done: (claim: Claim<D> | undefined) => void): void
  send(delivery: D, done: (outcome: O) => void): void
  /** Writes down what came of attempts; false: it could not be written. */
  settle(settlements: readonly Settlement<D, O>[], done: (written: boolean) => void): void
  wake(afterMs: number, call: () => void): void
}
