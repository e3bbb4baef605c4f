import { type Send, type SuppressionRow, heldOn, judgePerson } from '../compliance/public.ts'
import { type Blocker, type Consent, consentBlockers } from './consent.ts'

/** What the AI sends on its own: marketing on each channel that reaches a phone. */
const sends = (['sms', 'whatsapp', 'voice'] as const).map((channel): Send => ({
  channel,
  purpose: 'outbound',
  messageClass: 'marketing',
  actor: 'ai',
  kind: 'standard',
}))

/**
 * Returns why the AI may not contact a lead at any hour; empty if it may. Runs the judge's gates about the person: erasure, opt-outs,
 * suppressions, and consent. Only the consent that came with this lead counts, even if the person consented on another one, and each
 * fault of that consent is listed.
 *
 * Do-not-call lists, senders, hours, emergencies, and countries depend on a message, not on a lead, so this does not check them. Nor
 * does it check whether the AI is paused: the pause belongs to the contact, and would reveal that the number was known to anyone who
 * captured the lead.
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
