import type { Tx } from '#kernel/context.ts'
import type { EventType } from '#kernel/events/event.ts'
import { type Actor, type JournalRow, addToHiddenTimelines } from '#kernel/events/journal.ts'
import { newId } from '#kernel/ids.ts'
import { isVerified, keysOf, unheard } from '../../automations/public.ts'
import { listUnlocked } from '../../contacts/public.ts'
import type { OutsideResponse } from '../enrollment.ts'
import { setConcern } from '../queries.ts'
import { insertIfConcerned, insertInboxRow } from './queries.ts'

/** Adds an event to the engine's inbox for each contact that it concerns, in the transaction that emits the event. */
export async function appendEvent(tx: Tx, row: JournalRow, type: EventType): Promise<void> {
  if (unheard.has(row.name) || !isVerified(row)) return
  const of = type.timelineOf(row.data as never)
  // An opt-out is not on the timeline of its contacts, because that would reveal whose number it is. It names them in `contact_ids`.
  const { contact_ids: named } = row.data
  const shown = new Set([row.timeline_id ?? [], of ?? []].flat())
  const hidden = new Set<string>(Array.isArray(named) ? named : []).difference(shown)
  const contactIds = shown.union(hidden)
  if (tx.checked) await requireLocks(tx, row.name, [...contactIds])
  if (hidden.size > 0) addToHiddenTimelines(tx, row.id, [...hidden])
  const cause = causes.get(tx.actor)
  for (const contact_id of contactIds) {
    const chain = cause?.chain ?? []
    const known = knownConcern(cause?.listening, row, contact_id)
    if (known === undefined) {
      setConcern(tx, row, contact_id)
      insertIfConcerned(tx, { contact_id, event_id: row.id, chain }, !tx.isLate)
    } else {
      const is_trigger = known.is_trigger && !tx.isLate
      if (is_trigger || known.follows.length > 0)
        appendToInbox(tx, { contact_id, event_id: row.id, is_trigger, follows: known.follows, chain })
    }
  }
}

/**
 * How an event concerns a contact. `follows`: the IDs of the enrollments that the event may end, and of what is in the inbox and may still
 * start one; see `listStarts`.
 */
interface Concern {
  is_trigger: boolean
  follows: string[]
}

/** Throws unless the contacts are locked. Without the lock, an enrollment that a concurrent transaction adds would miss the event. */
async function requireLocks(tx: Tx, event: string, contactIds: readonly string[]): Promise<void> {
  const unlocked = await listUnlocked(tx, contactIds).catch((error: unknown) => {
    // `xmax` is a plain transaction ID, not a MultiXact: a single other transaction locked the row last.
    if (String(error).includes('MultiXactId')) return contactIds
    throw error
  })
  if (unlocked.length > 0) throw new Error(`${event} was emitted without the lock of ${unlocked.join()}.`)
}

/** What the engine knows about a contact that it has locked, so that events of the contact's steps need no queries. */
export interface Listening {
  contactId: string
  /** The names of the events that can start an automation. */
  triggers: ReadonlySet<string>
  /** The contact's active enrollments, and what each listens to. */
  listeners: readonly { id: string; listensTo: readonly string[] }[]
  /** What is still in the inbox and can start an enrollment, including what its steps have added so far; see `listStarts`. */
  started: string[]
}

interface Cause {
  chain: readonly string[]
  listening: Listening | undefined
}

/** By actor: what caused what the actor does. */
const causes = new WeakMap<object, Cause>()

/**
 * The same transaction, in which this actor acts because of these automations, the first one first. What the engine knows about the contact
 * stays known unless `listening` replaces it.
 */
export function actingFor(
  tx: Tx,
  actor: Actor,
  chain: readonly string[],
  listening = causes.get(tx.actor)?.listening,
): Tx {
  const acting = tx.actingAs({ ...actor })
  causes.set(acting.actor, { chain, listening })
  return acting
}

/** What `setConcern` would set, without a query. The engine holds the contact's lock, so only its own steps can add enrollments or events. */
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

/** Queues a contact for the engine, if the transaction commits. */
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
    /** The response of a webhook or the AI to a step. */
    about?: { enrollment_id: string; seq: number; response: OutsideResponse }
    follows?: readonly string[]
    chain?: readonly string[]
  },
): void {
  const now = tx.clock.now()
  const id = newId(now)
  const listening = causes.get(tx.actor)?.listening
  if (automation_id !== null && listening?.contactId === contact_id) listening.started.push(id)
  insertInboxRow(tx, {
    id,
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
