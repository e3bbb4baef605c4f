import type { Static, TObject } from 'typebox'
import type { Tx } from '../context.ts'
import type { EventType } from './event.ts'
import type { JournalRow } from './journal.ts'

/** A handler that runs in the transaction that emits an event. */
export interface Subscription {
  /** The event's name. Undefined for all events. */
  readonly event: string | undefined
  handle(tx: Tx, row: JournalRow, type: EventType): unknown
}

export interface Subscriptions {
  to(event: string): readonly Subscription['handle'][]
}

/**
 * Declares a subscription for a module's `subscriptions`. If `handle` throws, the emitting transaction is rolled
 * back.
 */
export const on = <D extends TObject>(
  type: EventType<D>,
  handle: (tx: Tx, data: Static<D>) => unknown,
): Subscription => ({ event: type.name, handle: (tx, { data }) => handle(tx, data as Static<D>) })

/** Declares a subscription to all events. */
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
