import { type Contact, type E164, toE164 } from '../../contacts/public.ts'
import type { SendFacts } from './send.ts'
import { countryOf } from './zones.ts'

/**
 * Returns a contact's location for the judge. `phone`: the number to contact, null for email. State and ZIP code count only for
 * addresses in the United States; an address without a country counts as one.
 */
export function recipientOf(
  {
    address,
    address_source,
    timezone,
  }: Pick<Contact, 'address' | 'timezone'> & Partial<Pick<Contact, 'address_source'>>,
  phone: E164 | null,
): SendFacts['recipient'] {
  const { state, postal_code } = address?.country === null || address?.country === 'US' ? address : nowhere
  return {
    phone,
    country: phone && countryOf(phone, (number) => toE164(number) !== undefined),
    state: state !== null && /^[A-Z]{2}$/.test(state) ? state : undefined,
    zip: /^\d{5}(?:-?\d{4})?$/.exec(postal_code ?? '')?.[0],
    fromLead: address_source === 'lead',
    timezone: timezone ?? undefined,
  }
}

const nowhere = { state: null, postal_code: null }
