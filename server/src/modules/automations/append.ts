import type { Tx } from '#kernel/context.ts'
import type { EventType } from '#kernel/events/event.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { newId } from '#kernel/ids.ts'
import { listUnlocked } from '../contacts/public.ts'
import { unheard } from './definition/heard-events.ts'
import { keysOf } from './definition/listens-to.ts'
import { insertInboxRow, listWaitingTriggers } from './engine/queue-queries.ts'
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
  const cause = causes.get(tx.actor)
  for (const contact_id of contactIds) {
    const { is_trigger, follows } =
      knownConcern(cause?.listening, row, contact_id) ?? (await readConcern(tx, row, contact_id))
    if (is_trigger || follows.length > 0)
      appendToInbox(tx, { contact_id, event_id: row.id, is_trigger, follows, chain: cause?.chain ?? [] })
  }
}

/** Whether an event can start an automation, and what it may end: enrollments, and events that may yet start one. */
interface Concern {
  is_trigger: boolean
  follows: string[]
}

async function readConcern(tx: Tx, row: JournalRow, contactId: string): Promise<Concern> {
  const [{ is_trigger, enrollment_ids }, waiting] = await Promise.all([
    findConcern(tx, row, contactId),
    listWaitingTriggers(tx, contactId),
  ])
  return { is_trigger, follows: [...enrollment_ids, ...waiting.map(({ event_id }) => event_id)] }
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

/** What the engine knows of a contact that it holds, so that events of its steps ask the database nothing. */
export interface Listening {
  contactId: string
  /** The events that can start an automation. */
  triggers: ReadonlySet<string>
  /** The active enrollments of the contact, and what each listens to. */
  listeners: readonly { id: string; listensTo: readonly string[] }[]
  /** The events of its steps so far that can start an automation. */
  started: string[]
}

interface Cause {
  chain: readonly string[]
  listening: Listening
}

const causes = new WeakMap<object, Cause>()

/** Says through which automations a transaction came to be what it is. */
export const causedBy = (tx: Tx, chain: readonly string[], listening: Listening): void =>
  void causes.set(tx.actor, { chain, listening })

/** The same for a step, since no one else adds an enrollment or an event of a contact that the engine holds. */
function knownConcern(
  listening: Listening | undefined,
  row: JournalRow,
  contactId: string,
): Concern | undefined {
  if (listening?.contactId !== contactId) return undefined
  const { triggers, listeners, started } = listening
  const keys = keysOf(row)
  const following = listeners.filter(({ listensTo }) => keys.some((key) => listensTo.includes(key)))
  const concern = {
    is_trigger: triggers.has(row.name),
    follows: [...following.map(({ id }) => id), ...started],
  }
  if (concern.is_trigger) started.push(row.id)
  return concern
}

/** Has the engine look at a contact. */
export function appendToInbox(
  tx: Tx,
  {
    contact_id,
    event_id = null,
    is_trigger = false,
    automation_id = null,
    about,
    follows = [],
    chain = [],
  }: {
    contact_id: string
    event_id?: string | null
    is_trigger?: boolean
    automation_id?: string | null
    /** What came from outside for a step. */
    about?: { enrollment_id: string; seq: number; response: OutsideResponse }
    follows?: readonly string[]
    chain?: readonly string[]
  },
): void {
  const now = tx.clock.now()
  insertInboxRow(tx, {
    id: newId(now),
    contact_id,
    event_id,
    is_trigger,
    automation_id,
    ...(about ?? { enrollment_id: null, seq: null, response: null }),
    follows,
    chain,
    created_at: now.toISOString(),
  })
}
