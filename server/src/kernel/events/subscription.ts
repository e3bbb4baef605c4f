import type { Static, TObject } from 'typebox'
import type { Tx } from '../context.ts'
import type { EventType } from './event.ts'
import type { JournalRow } from './journal.ts'

/** Lets a module act on another's event, inside the transaction that emits it. */
export interface Subscription {
  /** Name of the event; undefined for every one. */
  readonly event: string | undefined
  handle(tx: Tx, row: JournalRow, type: EventType): unknown
}

export interface Subscriptions {
  to(event: string): readonly Subscription['handle'][]
}

/** Declares a subscription in the `subscriptions` of a module. What it throws undoes the emitting change. */
export const on = <D extends TObject>(
  type: EventType<D>,
  handle: (tx: Tx, data: Static<D>) => unknown,
): Subscription => ({ event: type.name, handle: (tx, { data }) => handle(tx, data as Static<D>) })

/** Declares a subscription to every event there is. */
export const onEvery = (handle: Subscription['handle']): Subscription => ({ event: undefined, handle })

export function subscriptionsOf(all: readonly Subscription[]): Subscriptions {
  const byEvent = new Map<string, Subscription['handle'][]>()
  const handlers = (event: string) =>
    all.filter((one) => one.event === undefined || one.event === event).map(({ handle }) => handle)
  return {
    to(event) {
      const known = byEvent.get(event) ?? handlers(event)
      byEvent.set(event, known)
      return known
    },
  }
}
