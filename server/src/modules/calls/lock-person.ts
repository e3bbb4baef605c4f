import type { Tx } from '#kernel/context.ts'
import { findPersons } from '../compliance/public.ts'
import { type Point, holdContacts, holdFurther, lockPersons, toDialable } from '../contacts/public.ts'
import type { CallRow } from './call.ts'
import { findCall, lockCall } from './queries.ts'

/** The person in a call: their number, and all contacts that have it. */
export interface CallPerson {
  number: string | undefined
  points: readonly Point[]
  contactIds: readonly string[]
}

/** Takes the locks under which calls and messages to the person of a call begin. */
export async function lockPersonOf(
  tx: Tx,
  { direction, from, to, contact_id }: Pick<CallRow, 'direction' | 'from' | 'to' | 'contact_id'>,
): Promise<CallPerson> {
  const number = toDialable((direction === 'INBOUND' ? from : to) ?? '')
  const points: Point[] = number === undefined ? [] : [{ type: 'phone', value: number }]
  await lockPersons(tx, { contactIds: contact_id === null ? [] : [contact_id], points })
  const { contactIds } = await findPersons({ db: tx, keys: tx.keys }, [{ points, contactId: null }])
  return { number, points, contactIds }
}

/** Locks a call, and holds its contact before it: who publishes an event of a contact does. */
export async function lockWithContact(tx: Tx, id: string): Promise<CallRow | undefined> {
  const held = contactOf(await findCall(tx, id))
  if (held.length > 0) await holdContacts(tx.unrestricted(), held)
  const call = await lockCall(tx, id)
  await holdFurther(tx, held, contactOf(call))
  return call
}

/** Holds the contacts of calls. */
export async function holdCalled(
  tx: Tx,
  calls: readonly CallRow[],
  held: readonly CallRow[] = [],
): Promise<void> {
  await holdFurther(tx, held.flatMap(contactOf), calls.flatMap(contactOf))
}

const contactOf = (call: CallRow | undefined): string[] =>
  typeof call?.contact_id === 'string' ? [call.contact_id] : []
