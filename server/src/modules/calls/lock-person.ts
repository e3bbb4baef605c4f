import type { Tx } from '#kernel/context.ts'
import { findPersons } from '../compliance/public.ts'
import { type Point, lockPersons, toDialable } from '../contacts/public.ts'
import type { CallRow } from './call.ts'

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
