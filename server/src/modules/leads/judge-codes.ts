import type { Blocked } from '../compliance/public.ts'
import type { Blocker } from './consent.ts'

/**
 * What the judge says of a marketing text by the AI, for each reason for which a lead says that the AI may not contact its
 * sender: the one place that maps the two. One of the codes is among the judge's reasons. An incomplete consent counts as none.
 * The judge also asks what a lead does not: do-not-call lists, senders, hours.
 */
export const judgeCodes: { readonly [B in Blocker]: readonly Blocked['reason'][] } = {
  consent_missing: ['ai_consent_missing'],
  captured_at_missing: ['ai_consent_missing'],
  captured_at_invalid: ['ai_consent_missing'],
  captured_at_in_future: ['ai_consent_missing'],
  evidence_missing: ['ai_consent_missing'],
  consent_revoked: ['consent_revoked'],
  opted_out: ['opted_out'],
  suppressed: [
    'suppressed_internal_dnc',
    'suppressed_litigator',
    'suppressed_reassigned_number',
    'suppressed_manual',
  ],
  // Nothing is judged until they can be read: 503 `suppressions_unreadable`.
  suppressions_unreadable: [],
  contact_erased: ['recipient_erased'],
}
