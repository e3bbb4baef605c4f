import type { Tx } from '#kernel/context.ts'
import { findPersons } from '../compliance/public.ts'
import {
  type Point,
  lockContactsForShare,
  lockFurtherForShare,
  lockPersons,
  toDialable,
} from '../contacts/public.ts'
import type { CallRow } from './call.ts'
import { findCall, lockCall } from './queries.ts'

/** The person on the other end of a call: their number, and all contacts that have it. */
export interface CallPerson {
  number: string | undefined
  points: readonly Point[]
  contactIds: readonly string[]
}

/** Takes the locks that every call or message to this person takes before it begins. */
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

/**
 * Holds the call's contact, then locks the call. Anything that publishes an event about a contact needs the contact
 * held first.
 */
export async function lockWithContact(tx: Tx, id: string): Promise<CallRow | undefined> {
  const held = contactOf(await findCall(tx, id))
  if (held.length > 0) await lockContactsForShare(tx.unrestricted(), held)
  const call = await lockCall(tx, id)
  await lockFurtherForShare(tx, held, contactOf(call))
  return call
}

/** Holds the contacts of these calls, except those already held for `held`. */
export async function lockCalledForShare(
  tx: Tx,
  calls: readonly CallRow[],
  held: readonly CallRow[] = [],
): Promise<void> {
  await lockFurtherForShare(tx, held.flatMap(contactOf), calls.flatMap(contactOf))
}

const contactOf = (call: CallRow | undefined): string[] =>
  typeof call?.contact_id === 'string' ? [call.contact_id] : []
