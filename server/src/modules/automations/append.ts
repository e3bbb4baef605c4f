import type { Tx } from '#kernel/context.ts'
import type { EventType } from '#kernel/events/event.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { newId } from '#kernel/ids.ts'
import { insertLetter } from './engine/queue-queries.ts'
import { findConcern } from './enrollment-queries.ts'

/** Leaves an event for the engine, in the transaction that emits it, for each contact whom it concerns. */
export async function appendEvent(tx: Tx, row: JournalRow, type: EventType): Promise<void> {
  if (own.has(row.name)) return
  const of = type.timelineOf(row.data as never)
  const contactIds = new Set([row.timeline_id ?? [], of ?? []].flat())
  for (const contact_id of contactIds) {
    const { is_trigger, enrollment_ids } = await findConcern(tx, row.name, contact_id)
    if (is_trigger || enrollment_ids.length > 0)
      letter(tx, { contact_id, event_id: row.id, enrollment_ids, chain: chainOf(tx) })
  }
}

/** What the engine itself says of enrollments is no news to it. */
const own = new Set(['automation.run', 'enrollment.created', 'enrollment.status_changed', 'contact.erased'])

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
    enrollment_ids = [],
    chain = [],
  }: {
    contact_id: string
    event_id?: string | null
    automation_id?: string | null
    enrollment_ids?: readonly string[]
    chain?: readonly string[]
  },
): void {
  const now = tx.clock.now()
  insertLetter(tx, {
    id: newId(now),
    contact_id,
    event_id,
    automation_id,
    enrollment_ids,
    chain,
    created_at: now.toISOString(),
  })
}
