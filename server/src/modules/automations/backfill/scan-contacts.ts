import { type Condition, holds, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt } from '#kernel/conditions/hours.ts'
import type { Tx } from '#kernel/context.ts'
import { firstIdAt } from '#kernel/ids.ts'
import type { Reach } from '#kernel/reach.ts'
import { type Contact, findEndOfWindow, listNarrowed } from '../../contacts/public.ts'
import { conditionFields } from '../definition/condition-fields.ts'
import { factsOfEvent, loadFacts } from '../engine/load-facts.ts'
import { narrowingOf } from './narrow.ts'

/** Contacts that are looked at in one transaction. */
const windowSize = 2000

/** Of which contacts a snapshot is taken. */
export interface SoughtContacts {
  conditions: Condition
  reach: Reach
  /** Only contacts that were there at this time; conditions hold as of it. */
  at: Date
  timezone: string
}

export interface Scanned {
  contacts: Contact[]
  /** The last that was looked at; undefined after all of them. */
  last: string | undefined
}

/** Looks at the next contacts after this id, and returns those for whom the conditions hold. SQL narrows, `holds` decides. */
export async function scanContacts(
  db: Tx,
  { conditions, reach, at, timezone }: SoughtContacts,
  after: string,
  size = windowSize,
): Promise<Scanned> {
  const before = firstIdAt(at.getTime() + 1)
  const window = { after, before, reach }
  const last = await findEndOfWindow(db, window, size)
  const narrowed = await listNarrowed(db, { ...window, last }, narrowingOf(conditions))
  const prepared = prepareFor(conditionFields, conditions)
  const moment = momentAt(at, timezone)
  const contacts: Contact[] = []
  for (const contact of narrowed) {
    const known = { contact, ...factsOfEvent(undefined), context: {} }
    if (holds(prepared, await loadFacts({ db, keys: db.keys }, known, [conditions], at), moment))
      contacts.push(contact)
  }
  return { contacts, last }
}
