import type { Actor } from '#kernel/events/journal.ts'
import { type Reach, reaches } from '#kernel/reach.ts'
import { maskDeep, maskEmail, maskPhone } from '../contacts/public.ts'
import { aiBlockers, capturedAt, consentBlockers, revokedBy } from './consent.ts'
import { type ConsentedLead, type RoutingNote, isOpen } from './lead.ts'
import type { Against } from './recipients.ts'
import type { Lead } from './schemas.ts'

export interface LeadReader {
  scopes: ReadonlySet<string>
  reach: Reach
  actor: Actor
  clock: { now(): Date }
}

/** Whether the lead's routing is withheld: it would reveal whether the sender was known. */
export const isRoutingWithheld = (
  { captured_by }: Pick<ConsentedLead, 'captured_by'>,
  { scopes, actor }: Pick<LeadReader, 'scopes' | 'actor'>,
): boolean => captured_by !== null && captured_by === actor.id && !scopes.has('contacts:read:pii')

/**
 * The record for a response. Unless the scopes include contacts:read:pii, what is personal is masked and the contact withheld.
 * Members to whom the lead is only offered do not see its sender.
 * `against`: suppressions of the person who sent the lead.
 */
export function presentLead(stored: ConsentedLead, reader: LeadReader, against: Against): Lead {
  const now = reader.clock.now()
  const lead = { ...stored, consent: stored.consent && revokedBy(stored.consent, against.revoked_at) }
  const visible = reaches(reader.reach, lead.assignee_id) ? lead : withoutPerson(lead)
  const shown = reader.scopes.has('contacts:read:pii') ? visible : masked(visible)
  const {
    consent,
    try_at: _,
    captured_by: __,
    routing,
    ...rest
  } = isRoutingWithheld(stored, reader)
    ? { ...shown, ...unrouted(shown), updated_at: shown.created_at }
    : shown
  const ai_outbound_blockers = aiBlockers(lead, against.blockers, now)
  return {
    ...rest,
    routing: routing === null ? null : shownNote(routing),
    consent:
      consent === null ? null : { ...consent, sufficient: consentBlockers(lead.consent, now).length === 0 },
    ai_outbound_allowed: ai_outbound_blockers.length === 0,
    ai_outbound_blockers,
  } as Lead
}

/** A lead before it is routed. */
export const unrouted = (lead: Pick<ConsentedLead, 'status'>) => ({
  status: isOpen(lead) && lead.status !== 'contacted' ? ('new' as const) : lead.status,
  assignee_id: null,
  waits_for: null,
  offered_to: [],
  offered_until: null,
  routing: null,
})

/** An offer before it is claimed: shows the inquiry, but not the person. */
const withoutPerson = ({ consent, ...lead }: ConsentedLead): ConsentedLead => ({
  ...lead,
  contact_id: null,
  source_ref: null,
  first_name: null,
  last_name: null,
  phone: null,
  email: null,
  context: null,
  consent: consent && {
    ...consent,
    captured_at: null,
    source_url: null,
    ip: null,
    form_snapshot: null,
    form_sha256: null,
  },
})

const shownNote = ({ resumes: _, ...note }: RoutingNote) => note

const masked = ({ consent, ...lead }: ConsentedLead) => ({
  ...lead,
  contact_id: null,
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
          // With the rest of the snapshot, numbers could be tried until the hash fits.
          form_sha256: null,
        },
})

/** A time as it was received; anything that is not a time can hold anything. */
const shownTime = (value: unknown) =>
  typeof value !== 'string' && capturedAt(value) !== undefined ? value : maskDeep(value)
