import type { Contact } from '../contacts/public.ts'
import { areaCodeOf, stateOfAreaCode } from '../contacts/public.ts'
import type { Facts } from '../routing/public.ts'
import { consentStatus } from './consent.ts'
import type { ConsentedLead } from './lead.ts'

/**
 * What is known of a lead when it is routed. `zip`, `city`, `state`, `price`, `office_id`, `team_id` and `tags` are those
 * of its context; a state that is not named is the one of the phone's area code. Stage, owner and further tags are the
 * contact's.
 */
export function factsOf(lead: ConsentedLead, contact: Contact | undefined, now: Date): Facts {
  const context = lead.context ?? {}
  const text = (name: string) => {
    const value = context[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const area_code = lead.phone === null ? undefined : areaCodeOf(lead.phone)
  const facts: { [K in keyof Facts]: Facts[K] | undefined } = {
    source: lead.source ?? '',
    stage: contact?.stage,
    tags: [...new Set([...(contact?.tags ?? []), ...textsIn(context['tags'])])],
    zip: text('zip'),
    city: text('city'),
    state: text('state') ?? (area_code === undefined ? undefined : stateOfAreaCode(area_code)),
    price: numberIn(context['price']),
    area_code,
    has_phone: lead.phone !== null,
    has_email: lead.email !== null,
    office_id: text('office_id'),
    team_id: text('team_id'),
    consent_status: consentStatus(lead.consent, now),
    context,
    owner_id: contact?.owner_id ?? null,
  }
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as unknown as Facts
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

/** A number, also one that was typed: `450000`, `$450,000`. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const bare = value
    .trim()
    .replace(/^\$\s*/, '')
    .replaceAll(/,(?=\d{3}(?:\D|$))/g, '')
  return /^\d+(\.\d+)?$/.test(bare) ? Number(bare) : undefined
}
