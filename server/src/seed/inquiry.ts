import type { captureLead } from '../modules/leads/public.ts'
import { type Household, type Kind, fill } from './cast/household.ts'
import { dayMs } from './diary.ts'
import type { Random } from './random.ts'

type LeadDraft = Parameters<typeof captureLead>[1]

/** What a person sent through a form, a portal, or a partner. */
export interface Inquiry {
  lead: LeadDraft
  /** Two numbers from 0 to 1 that decide whether and when an agent claims the lead, if it is offered. */
  luck: readonly [whether: number, when: number]
}

/** The sender, as far as they identify themselves. */
type Sender = Pick<LeadDraft, 'first_name' | 'last_name' | 'phone' | 'email'>

const intents: Record<Kind, string> = { buyer: 'buy', seller: 'sell', renter: 'rent', investor: 'invest' }

const messages: Record<Kind, readonly string[]> = {
  buyer: ['Is the place on {seen} still available?', 'We would like to see {beds} beds in {area}.'],
  seller: ['What would {street} bring this spring?', 'We are thinking of selling our home on {street}.'],
  renter: ['Looking for {beds} beds in {area}, moving in three months.'],
  investor: ['Do you have two-flats in {area} that are not on the market?'],
}

/** Makes up an inquiry at this time. Deterministic for the state of `random`. */
export function drawInquiry(
  random: Random,
  household: Household,
  { sender, source, at }: { sender: Sender; source: string; at: Date },
): Inquiry {
  const { city, zip, price } = household
  const kind = source === 'Home valuation page' ? 'seller' : household.kind
  const named = price !== null && random.chance(0.7)
  const cold = !named && random.chance(0.6)
  return {
    lead: {
      ...sender,
      source,
      source_ref: `${source.slice(0, 3).toLowerCase()}-${random.integer(10_000, 99_999)}`,
      context: {
        intent: intents[kind],
        city,
        zip,
        state: 'IL',
        ...(named ? { price } : {}),
        timeframe: cold ? 'just looking' : random.pick(['now', '3 months', '6 months']),
        ...(random.chance(0.06) ? { language: 'es' } : {}),
        ...(kind === 'investor' && random.chance(0.5) ? { tags: [kind] } : {}),
        message: fill(random.pick(messages[kind]), household, random),
      },
      ...consentOf(random, source, at),
    },
    luck: [random.next(), random.next()],
  }
}

const pages: Record<string, string> = {
  Website: '/contact',
  'Home valuation page': '/what-is-my-home-worth',
  'Social ad': '/spring-tour',
}

/**
 * Most inquiries come with full consent, some only with its time, and some with none. Relocation partners never send
 * any.
 */
function consentOf(random: Random, source: string, at: Date): Pick<LeadDraft, 'consent'> {
  const page = pages[source]
  const [chance, ms, host] = [random.next(), random.integer(400, 9000), random.integer(1, 254)]
  if (source === 'Relocation partner' || chance > 0.86) return {}
  const captured_at = new Date(at.getTime() - ms).toISOString()
  if (chance > 0.76) return { consent: { captured_at } }
  // From a range reserved for documentation (RFC 5737).
  const ip = `203.0.113.${host}`
  const form_snapshot = {
    consent_text: 'I agree to be called and texted about my inquiry, also by automated means.',
    checked: true,
  }
  const url = page === undefined ? 'https://homes.listingportal.example/inquire' : `https://${site}${page}`
  return { consent: { captured_at, source_url: url, ip, form_snapshot } }
}

const site = 'www.lanternandoak.example'

/** How long until a lead in a pond is claimed, in milliseconds; null for never. */
export const pondMs = ([whether, when]: Inquiry['luck']): number | null =>
  whether > 0.8 ? null : (0.02 + 8 * when ** 2) * dayMs
