import type { Static, TObject } from 'typebox'
import type { EventHandler, Subscriptions, Tx } from './context.ts'
import type { EventType } from './events/event.ts'

/** A handler that runs in the transaction that emits an event. */
export interface Subscription {
  /** The event's name. Undefined for all events. */
  readonly event: string | undefined
  readonly handle: EventHandler
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
export const onEvery = (handle: EventHandler): Subscription => ({ event: undefined, handle })

export function subscriptionsOf(all: readonly Subscription[]): Subscriptions {
  const byEvent = new Map<string, EventHandler[]>()
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
