import type { Static, TObject } from 'typebox'
import type { Tx } from '../context.ts'
import type { EventType } from './event.ts'

/** Lets a module act on another's event, inside the transaction that emits it. */
export interface Subscription {
  readonly event: string
  handle(tx: Tx, data: unknown): Promise<unknown>
}

export type Subscriptions = ReadonlyMap<string, Subscription['handle'][]>

/** Declares a subscription in the `subscriptions` of a module. What it throws undoes the emitting change. */
export const on = <D extends TObject>(
  type: EventType<D>,
  handle: (tx: Tx, data: Static<D>) => Promise<unknown>,
): Subscription => ({ event: type.name, handle: (tx, data) => handle(tx, data as Static<D>) })

export const subscriptionsByEvent = (all: readonly Subscription[]): Subscriptions =>
  new Map(
    [...Map.groupBy(all, (one) => one.event)].map(([name, list]) => [name, list.map((one) => one.handle)]),
  )
