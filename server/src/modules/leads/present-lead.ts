import { maskEmail, maskPhone, maskText } from '../contacts/public.ts'
import { type RecipientBlocker, aiBlockers, capturedAt, consentBlockers } from './consent.ts'
import type { ConsentedLead, RoutingNote } from './lead.ts'

interface Reader {
  scopes: ReadonlySet<string>
  clock: { now(): Date }
}

/**
 * The record for the wire. What is personal is masked unless the scopes include contacts:read:pii. `recipient`: what is
 * known against whoever sent the lead.
 */
export function presentLead(
  lead: ConsentedLead,
  { scopes, clock }: Reader,
  recipient: readonly RecipientBlocker[],
) {
  const now = clock.now()
  const { consent, try_at: _, routing, ...rest } = scopes.has('contacts:read:pii') ? lead : masked(lead)
  const ai_outbound_blockers = aiBlockers(lead, recipient, now)
  return {
    ...rest,
    routing: routing === null ? null : shownNote(routing),
    consent:
      consent === null ? null : { ...consent, sufficient: consentBlockers(lead.consent, now).length === 0 },
    ai_outbound_allowed: ai_outbound_blockers.length === 0,
    ai_outbound_blockers,
  }
}

const shownNote = ({ resumes: _, ...note }: RoutingNote) => note

const masked = ({ consent, ...lead }: ConsentedLead): ConsentedLead => ({
  ...lead,
  phone: lead.phone === null ? null : maskPhone(lead.phone),
  email: lead.email === null ? null : maskEmail(lead.email),
  source: maskDeep(lead.source),
  source_ref: maskDeep(lead.source_ref),
  first_name: maskDeep(lead.first_name),
  last_name: maskDeep(lead.last_name),
  context: maskDeep(lead.context),
  consent:
    consent === null
      ? null
      : {
          ...consent,
          captured_at: shownTime(consent.captured_at),
          source_url: maskDeep(consent.source_url),
          ip: null,
          form_snapshot: maskDeep(consent.form_snapshot),
          // Whoever sees the rest of the snapshot could try out numbers until the hash fits.
          form_sha256: null,
        },
})

/** Ten digits or more, and no more than a phone number has. */
const couldBePhone = (value: number) => Number.isInteger(value) && value >= 1e9 && value < 1e15

/** A day or a moment, whose digits are no telephone's. */
const isDate = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** A time as it came; what is none can be anything. */
const shownTime = (value: unknown) =>
  typeof value !== 'string' && capturedAt(value) !== undefined ? value : maskDeep(value)

/** The same value with the phone numbers and e-mail addresses in its texts masked, member names included. */
export function maskDeep<T>(value: T): T {
  return mask(value) as T
}

function mask(value: unknown): unknown {
  if (typeof value === 'number') return couldBePhone(value) ? maskText(String(value)) : value
  if (typeof value === 'string') return isDate.test(value) ? value : maskText(value)
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [maskText(name), mask(one)]))
}
