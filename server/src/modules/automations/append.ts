import type { Tx } from '#kernel/context.ts'
import type { EventType } from '#kernel/events/event.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { newId } from '#kernel/ids.ts'
import { listUnlocked } from '../contacts/public.ts'
import { unheard } from './definition/heard-events.ts'
import { insertLetter, listWaitingEvents } from './engine/queue-queries.ts'
import { findConcern } from './enrollment-queries.ts'
import type { OutsideResponse } from './enrollment.ts'

/** Leaves an event for the engine, in the transaction that emits it, for each contact whom it concerns. */
export async function appendEvent(tx: Tx, row: JournalRow, type: EventType): Promise<void> {
  if (unheard.has(row.name)) return
  const of = type.timelineOf(row.data as never)
  // Those whom an opt-out concerns do not have it on their timelines, which would reveal whose number it is.
  const { contact_ids: named } = row.data
  const contactIds = new Set([row.timeline_id ?? [], of ?? [], Array.isArray(named) ? named : []].flat())
  if (tx.checked) await requireLocks(tx, row.name, [...contactIds])
  for (const contact_id of contactIds) {
    const [{ is_trigger, enrollment_ids }, waiting] = await Promise.all([
      findConcern(tx, row.name, contact_id),
      listWaitingEvents(tx, contact_id),
    ])
    // What waits to be looked at may start an automation, which this may end.
    const follows = [...enrollment_ids, ...waiting.map(({ event_id }) => event_id)]
    if (is_trigger || follows.length > 0)
      letter(tx, { contact_id, event_id: row.id, follows, chain: chainOf(tx) })
  }
}

/** Without its lock, an enrollment of the contact that another transaction is adding would never learn of the event. */
async function requireLocks(tx: Tx, event: string, contactIds: readonly string[]): Promise<void> {
  const unlocked = await listUnlocked(tx, contactIds).catch((error: unknown) => {
    // The last one to lock it was one other transaction, and no group of them.
    if (String(error).includes('MultiXactId')) return contactIds
    throw error
  })
  if (unlocked.length > 0) throw new Error(`${event} was emitted without the lock of ${unlocked.join()}.`)
}

const chains = new WeakMap<object, readonly string[]>()

/** Says through which automations a transaction came to be what it is. */
export const causedBy = (tx: Tx, chain: readonly string[]): void => void chains.set(tx.actor, chain)

const chainOf = (tx: Tx): readonly string[] => chains.get(tx.actor) ?? []

/** Leaves word that a contact is to be looked at. */
export function letter(
  tx: Tx,
  {
    contact_id,
    event_id = null,
    automation_id = null,
    about,
    follows = [],
    chain = [],
  }: {
    contact_id: string
    event_id?: string | null
    automation_id?: string | null
    /** What came from outside for a step. */
    about?: { enrollment_id: string; seq: number; response: OutsideResponse }
    follows?: readonly string[]
    chain?: readonly string[]
  },
): void {
  const now = tx.clock.now()
  insertLetter(tx, {
    id: newId(now),
    contact_id,
    event_id,
    automation_id,
    ...(about ?? { enrollment_id: null, seq: null, response: null }),
    follows,
    chain,
    created_at: now.toISOString(),
  })
}
