import { nextOpening, nextOpeningInAll, weekdays } from '#kernel/conditions/hours.ts'
import type { Definition } from '../../automations/public.ts'
import { recipientOf, zonesOf } from '../../compliance/public.ts'
import type { Contact, E164 } from '../../contacts/public.ts'

type Placed = Pick<Contact, 'timezone' | 'address' | 'phone'> & Partial<Pick<Contact, 'address_source'>>

/**
 * When the send window opens; `now` if it is open. A contact may be in several time zones, as the gates see it, and the window must be open
 * in all of them. The workspace's zone counts if no zone is known, or if the window is never open in all of them at once.
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
