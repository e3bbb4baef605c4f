import { nextOpening, nextOpeningInAll, weekdays } from '#kernel/conditions/hours.ts'
import { recipientOf, zonesOf } from '../../compliance/public.ts'
import type { Contact, E164 } from '../../contacts/public.ts'
import type { Definition } from '../definition/definition.ts'

type Placed = Pick<Contact, 'timezone' | 'address' | 'phone'> & Partial<Pick<Contact, 'address_source'>>

/**
 * When the send window opens, which can be now. A contact may be in several zones, as the gates have it: it is open where it is in all of
 * them. Where none is known, or it is never open in all of them, that of the workspace counts.
 */
export function windowOpening(
  { send_window }: Pick<Definition, 'send_window'>,
  contact: Placed,
  timezone: string,
  now: Date,
): Date {
  if (send_window === undefined) return now
  const { days = weekdays, from, to, zone = 'contact' } = send_window
  const hours = { days: [...days], from, to }
  const zones = zone === 'contact' ? zonesOf(recipientOf(contact, contact.phone as E164 | null)) : []
  const opening = zones.length === 0 ? undefined : nextOpeningInAll(hours, zones, now)
  return opening ?? nextOpening({ ...hours, timezone }, now)
}
