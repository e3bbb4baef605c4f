import { numberOf } from '#kernel/conditions/operators.ts'
import type { Contact } from '../contacts/public.ts'
import { addressInForm, areaCodeOf, stateOfAreaCode } from '../contacts/public.ts'
import type { Facts } from '../routing/public.ts'
import { consentStatus } from './consent.ts'
import type { ConsentedLead } from './lead.ts'

/** Default facts for a lead from an unknown person. */
export const unknownPersonFacts = {
  stage: 'LEAD',
  has_phone: true,
  has_email: false,
  consent_status: 'none',
  context: {},
  owner_id: null,
} as const

/**
 * The facts about a lead that routing rules can test. The context provides `zip`, `city`, and `state`, read as an address would be,
 * and `price`, `office_id`, `team_id`, and `tags`. A missing state is derived from the phone's area code. The contact provides the
 * stage, the owner, and more tags.
 */
export function factsOf(lead: ConsentedLead, contact: Contact | undefined, now: Date): Facts {
  const context = lead.context ?? {}
  const text = (name: string) => {
    const value = context[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const place = addressInForm(context)
  const area_code = lead.phone === null ? undefined : areaCodeOf(lead.phone)
  const facts: { [K in keyof Facts]: Facts[K] | undefined } = {
    source: lead.source ?? '',
    stage: contact?.stage,
    tags: [...new Set([...(contact?.tags ?? []), ...tagsIn(context['tags'])])],
    zip: place?.postal_code ?? undefined,
    city: place?.city ?? undefined,
    state: place?.state ?? (area_code === undefined ? undefined : stateOfAreaCode(area_code)),
    price: numberOf(context['price']),
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

const maxTags = 30
const maxTagLength = 40

/** At most as many tags as a contact may have. Drops tags that are too long for a contact. */
const tagsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value
        .filter((one): one is string => typeof one === 'string' && [...one].length <= maxTagLength)
        .slice(0, maxTags)
    : []
