import { type Send, type SuppressionRow, heldOn, judgePerson } from '../compliance/public.ts'
import { type Blocker, type Consent, consentBlockers } from './consent.ts'

/** What the AI would do by itself: marketing on each channel that reaches a phone. */
const sends = (['sms', 'whatsapp', 'voice'] as const).map((channel): Send => ({
  channel,
  purpose: 'outbound',
  messageClass: 'marketing',
  actor: 'ai',
  kind: 'standard',
}))

/**
 * Why the AI may not contact a lead at any hour, as the judge's gates about the person decide: erasure, opt-outs, suppressions, and
 * consent. The consent is the one that came with this lead, even where the person consented on another one; what it lacks is said in
 * detail. What the judge asks besides, such as do-not-call lists, senders, hours and emergencies, belongs to a message and not to a lead.
 * So do countries, and a pause of the AI: it is the contact's, and would show anyone who captured the lead that the number was known.
 */
export function aiBlockers(
  { consent, erased_at }: { consent: Consent | null; erased_at: string | null },
  held: readonly SuppressionRow[],
  now: Date,
): Blocker[] {
  const lacking = consentBlockers(consent, now)
  const isSufficient = lacking.every((one) => one === 'consent_revoked')
  const codes = new Set(
    sends.flatMap((send) =>
      judgePerson(
        send,
        {
          recipient: { country: 'US', phone: null },
          contact: {
            erased: erased_at !== null,
            aiPaused: false,
            ...heldOn(held, send.channel),
            consent: {
              level: isSufficient ? 'express_written' : 'none',
              revoked: lacking.includes('consent_revoked'),
            },
            dnc: { national: undefined, state: undefined },
            lastInbound: {},
            marketingSends24h: 0,
          },
          sender: null,
          workspace: { enabledCountries: ['US'], emergencyStates: [], hasPostalAddress: true },
        },
        now,
      ),
    ),
  )
  const some = (...fitting: readonly RegExp[]) =>
    [...codes].some((code) => fitting.some((one) => one.test(code)))
  return [
    ...(some(/consent/) ? lacking : []),
    ...(some(/^opted_out$/) ? ['opted_out' as const] : []),
    ...(some(/^suppressed_/) ? ['suppressed' as const] : []),
    ...(some(/^recipient_erased$/) ? ['contact_erased' as const] : []),
  ]
}
