import type { Ctx } from '#kernel/context.ts'
import type { Reach } from '#kernel/db/handles.ts'
import { creatorIn, reaches } from '#kernel/reach.ts'
import { aiBlockers } from './ai-blockers.ts'
import { consentBlockers, revokedBy } from './consent.ts'
import { type ConsentedLead, type RoutingNote, isOpen } from './lead.ts'
import type { Against } from './recipients.ts'
import type { Lead } from './schemas.ts'

export type LeadReader = Pick<Ctx, 'guarded' | 'reach' | 'actor' | 'clock'>

/** Whether the lead's routing is withheld from the reader, because it would reveal whether the sender was known. */
export const isRoutingWithheld = (
  { captured_by }: Pick<ConsentedLead, 'captured_by'>,
  { guarded, actor }: Pick<LeadReader, 'guarded' | 'actor'>,
): boolean => guarded && captured_by !== null && captured_by === actor.id

/**
 * The lead for a response, before masking. Members to whom the lead is only offered do not see its sender.
 * `against`: suppressions and revocations of the person who sent the lead.
 */
export function presentLead(stored: ConsentedLead, reader: LeadReader, against: Against): Lead {
  const now = reader.clock.now()
  const lead = { ...stored, consent: stored.consent && revokedBy(stored.consent, against.revoked_at) }
  const shown = seesSender(reader.reach, lead) ? lead : withoutPerson(lead)
  const {
    consent,
    try_at: _,
    captured_by: __,
    created_by: ___,
    routing,
    ...rest
  } = isRoutingWithheld(stored, reader)
    ? { ...shown, ...unrouted(shown), contact_id: null, updated_at: shown.created_at }
    : shown
  const ai_outbound_blockers = [
    ...aiBlockers(lead, against.held ?? [], now),
    ...(against.held === undefined ? ['suppressions_unreadable' as const] : []),
  ]
  return {
    ...rest,
    phone_e164: rest.phone,
    routing: routing === null ? null : shownNote(routing),
    consent:
      consent === null ? null : { ...consent, sufficient: consentBlockers(lead.consent, now).length === 0 },
    ai_outbound_allowed: ai_outbound_blockers.length === 0,
    ai_outbound_blockers,
  } as Lead
}

/** Whether the reader sees the person: the lead is assigned to a member in reach, or the reader is the key that captured it. */
export const seesSender = (
  reach: Reach,
  { assignee_id, created_by }: Pick<ConsentedLead, 'assignee_id' | 'created_by'>,
): boolean => reaches(reach, assignee_id) || (created_by !== null && created_by === creatorIn(reach))

/** The routing fields of a lead as if it had never been routed. */
export const unrouted = (lead: Pick<ConsentedLead, 'status'>) => ({
  status: isOpen(lead) && lead.status !== 'contacted' ? ('new' as const) : lead.status,
  assignee_id: null,
  waits_for: null,
  offered_to: [],
  offered_until: null,
  routing: null,
})

/** An unclaimed offer: shows the inquiry, but not the person. */
const withoutPerson = ({ consent, ...lead }: ConsentedLead): ConsentedLead => ({
  ...lead,
  contact_id: null,
  source_ref: null,
  first_name: null,
  last_name: null,
  phone: null,
  phone_extension: null,
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
