import { type Condition, holds, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt } from '#kernel/conditions/hours.ts'
import type { Tx } from '#kernel/context.ts'
import type { Db, Reach } from '#kernel/db/handles.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { reaches } from '#kernel/reach.ts'
import { type EnrollmentFacts, conditionFields } from '../automations/public.ts'
import { type Contact, findEndOfWindow, listNarrowed } from '../contacts/public.ts'
import { factsOfEvent, loadFactsOfAll } from '../enrollments/public.ts'
import { narrowingOf } from './narrow.ts'

/** Contacts to scan in one transaction. */
const windowSize = 2000
/** Contacts whose facts are loaded together. */
const atOnce = 200

/** Which contacts a snapshot includes. */
export interface SoughtContacts {
  conditions: Condition
  reach: Reach
  /** Only contacts that existed at this time count. The conditions are tested as of then. */
  at: Date
  timezone: string
}

export interface Scanned {
  contacts: Contact[]
  /** The ID of the last contact scanned; undefined after the end. */
  last: string | undefined
  /** How many contacts were scanned. */
  looked: number
}

type Source = Pick<Tx, 'keys'> & Db

/** Scans the next contacts after this ID, and returns those for whom the conditions hold. SQL narrows them down; `holds` decides. */
export async function scanContacts(
  db: Source,
  sought: SoughtContacts,
  after: string,
  size = windowSize,
): Promise<Scanned> {
  const { conditions, reach, at } = sought
  const window = { after, before: firstIdAt(at.getTime() + 1), reach }
  const { last: end, looked } = await findEndOfWindow(db, window, size)
  const last = looked < size ? undefined : (end ?? undefined)
  const narrowed = await listNarrowed(db, { ...window, last }, narrowingOf(conditions))
  return { contacts: await soughtOf(db, sought, narrowed), last, looked }
}

/** Filters contacts: those for whom the conditions hold, and who are in reach and neither erased nor in the stage `TRASH`. */
export async function soughtOf(
  db: Source,
  { conditions, reach, at, timezone }: SoughtContacts,
  contacts: readonly Contact[],
): Promise<Contact[]> {
  const prepared = prepareFor(conditionFields, conditions)
  const moment = momentAt(at, timezone)
  const end = firstIdAt(at.getTime() + 1)
  const considered = contacts.filter(
    ({ id, erased_at, stage, owner_id }) =>
      id < end && erased_at === null && stage !== 'TRASH' && reaches(reach, owner_id),
  )
  const isFor = (facts: EnrollmentFacts | undefined) => facts !== undefined && holds(prepared, facts, moment)
  const found: Contact[] = []
  for (let from = 0; from < considered.length; from += atOnce) {
    const some = considered.slice(from, from + atOnce)
    const known = some.map((contact) => ({ contact, ...factsOfEvent(undefined), context: {} }))
    const facts = await loadFactsOfAll({ db, keys: db.keys }, known, [conditions], at)
    found.push(...some.filter((_, i) => isFor(facts[i])))
  }
  return found
}
