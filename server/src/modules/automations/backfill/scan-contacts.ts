import { type Condition, holds, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt } from '#kernel/conditions/hours.ts'
import type { Db } from '#kernel/db/handles.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { type Reach, reaches } from '#kernel/reach.ts'
import { type Contact, findEndOfWindow, listNarrowed } from '../../contacts/public.ts'
import { conditionFields } from '../definition/condition-fields.ts'
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
  /** How many were looked at. */
  looked: number
}

/** Looks at the next contacts after this id, and returns those for whom the conditions hold. SQL narrows, `holds` decides. */
export async function scanContacts(
  db: Db,
  sought: SoughtContacts,
  after: string,
  size = windowSize,
): Promise<Scanned> {
  const { conditions, reach, at } = sought
  const before = firstIdAt(at.getTime() + 1)
  const window = { after, before, reach }
  const { last: end, looked } = await findEndOfWindow(db, window, size)
  const last = looked < size ? undefined : (end ?? undefined)
  const narrowed = await listNarrowed(db, { ...window, last }, narrowingOf(conditions))
  return { contacts: narrowed.filter(isSought(sought)), last, looked }
}

/** Whether a contact is one of those. */
export function isSought({ conditions, reach, at, timezone }: SoughtContacts): (contact: Contact) => boolean {
  const prepared = prepareFor(conditionFields, conditions)
  const moment = momentAt(at, timezone)
  const end = firstIdAt(at.getTime() + 1)
  return (contact) =>
    contact.id < end &&
    contact.erased_at === null &&
    contact.stage !== 'TRASH' &&
    reaches(reach, contact.owner_id) &&
    holds(prepared, { contact, trigger: {}, context: {} }, moment)
}
