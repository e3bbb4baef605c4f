import fc from 'fast-check'
import type { PlacedFinding, SendFacts, Send, SenderState } from './send.ts'
import { countryOf } from './zones.ts'

/** Numbers in states with and without rules, in several zones, without a place, in Canada and Jamaica, and unassigned. */
const phones = [
  '+12125550123',
  '+13055550123',
  '+18505550123',
  '+12145550123',
  '+15045550123',
  '+18015550123',
  '+14015550123',
  '+12155550123',
  '+12035550123',
  '+14055550123',
  '+16055550123',
  '+19075550123',
  '+18005550123',
  '+14165550123',
  '+18765550123',
  '+19995550123',
]
const places = [
  {},
  { state: 'TN' },
  { state: 'FL' },
  { state: 'LA', zip: '70112' },
  { state: 'CA', zip: '90210' },
]

const start = Date.parse('2026-01-01T00:00:00Z')
const yearMs = 365 * 86_400_000

export const moments: fc.Arbitrary<Date> = fc
  .integer({ min: 0, max: yearMs - 1 })
  .map((ms) => new Date(start + ms))

export const sends: fc.Arbitrary<Send> = fc.record({
  channel: fc.constantFrom('sms', 'whatsapp', 'voice', 'email'),
  purpose: fc.constantFrom('outbound', 'reply'),
  messageClass: fc.constantFrom('marketing', 'transactional'),
  actor: fc.constantFrom('human', 'automation', 'ai'),
  kind: fc.constantFrom('standard', 'standard', 'opt_out_confirmation'),
  template: fc.option(
    fc.record({
      status: fc.constantFrom('APPROVED', 'PENDING'),
      category: fc.constantFrom('UTILITY', 'MARKETING'),
    }),
    { nil: undefined },
  ),
  oneClickUnsubscribe: fc.boolean(),
})

const senders: fc.Arbitrary<SenderState | null> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constant({
      type: '10dlc',
      brand: 'APPROVED',
      campaign: 'VERIFIED',
      number: 'REGISTERED',
    } as const),
  },
  fc.constant({ type: '10dlc', brand: 'APPROVED', campaign: 'PENDING', number: 'REGISTERED' } as const),
  fc.constant({ type: 'tollfree', verification: 'APPROVED' } as const),
  fc.constant({ type: 'whatsapp', status: 'APPROVED' } as const),
  fc.constant({ type: 'email', domainAuthenticated: true } as const),
  fc.constant(null),
)

export const findings: PlacedFinding[] = [
  {
    code: 'content_fair_housing',
    category: 'steering',
    field: 'body',
    text: 'safe area',
    start: 0,
    end: 9,
  },
]

const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, fc.constantFrom(...others))

/** Facts at a time. Most are harmless, so that some sends are allowed. */
export const factsAt = (now: Date): fc.Arbitrary<SendFacts> => {
  const before = fc.option(
    fc.integer({ min: 0, max: 600 * 86_400_000 }).map((ms) => now.getTime() - ms),
    { nil: undefined },
  )
  const lately = fc.option(
    fc.integer({ min: 0, max: 30 * 3_600_000 }).map((ms) => now.getTime() - ms),
    { nil: undefined },
  )
  return fc.record({
    recipient: fc.tuple(fc.constantFrom(...phones), fc.constantFrom(...places)).map(([phone, place]) => ({
      phone,
      ...place,
      country: countryOf(phone, () => phone.startsWith('+1876')),
    })),
    contact: fc.record({
      erased: mostly(false, true),
      aiPaused: mostly(false, true),
      optedOut: mostly<SendFacts['contact']['optedOut']>(
        [],
        ['sms', 'whatsapp', 'voice_auto'],
        ['email'],
        ['all'],
      ),
      suppressions: mostly<SendFacts['contact']['suppressions']>(
        [],
        ['internal_dnc'],
        ['hard_bounce'],
        ['manual'],
      ),
      consent: fc.record({
        level: mostly('express_written' as const, 'none', 'partial', 'express'),
        revoked: mostly(false, true),
      }),
      inquiryAt: before,
      transactionAt: before,
      dnc: fc.record({
        national: mostly<boolean | 'unavailable' | undefined>(false, true, 'unavailable', undefined),
        state: mostly<boolean | 'unavailable' | undefined>(false, true, 'unavailable', undefined),
      }),
      lastInbound: fc
        .record({ sms: lately, whatsapp: lately, email: lately })
        .map((all) => Object.fromEntries(Object.entries(all).filter(([, at]) => at !== undefined))),
      marketingSends24h: mostly(0, 1, 2, 3, 4),
      optOut: fc.option(
        fc.record({
          at: fc.integer({ min: 0, max: 600_000 }).map((ms) => now.getTime() - ms),
          confirmed: fc.boolean(),
        }),
        { nil: undefined },
      ),
    }),
    sender: senders,
    content: mostly<PlacedFinding[]>([], findings),
    workspace: fc.record({
      enabledCountries: mostly(['US', 'CA'], ['US'], []),
      emergencyStates: mostly<string[]>([], ['NY'], ['LA', 'TX', 'FL']),
      hasPostalAddress: mostly(true, false),
    }),
  })
}
