import { expect, test } from 'vitest'
import { type Send, type SendFacts, judge } from '../compliance/public.ts'
import { type Blocker, type Consent, aiBlockers, consentBlockers } from './consent.ts'
import { judgeCodes } from './judge-codes.ts'

const now = new Date('2026-11-20T18:00:00.000Z')

const given: Consent = {
  captured_at: '2026-11-01T12:00:00Z',
  source_url: 'https://lakeside.example/valuation',
  ip: null,
  form_snapshot: null,
  form_sha256: null,
  received_at: '2026-11-01T12:00:00.000Z',
  revoked_at: null,
}

const text: Send = {
  channel: 'sms',
  purpose: 'outbound',
  messageClass: 'marketing',
  actor: 'ai',
  kind: 'standard',
}

type Person = SendFacts['contact']

/** The judge's reasons for a text of the AI to the person who gave this consent. */
function reasonsFor(consent: Consent | null, more: Partial<Person> = {}): readonly string[] {
  const level = consent === null ? 'none' : 'partial'
  const isSufficient =
    consent !== null && consentBlockers(consent, now).every((one) => one === 'consent_revoked')
  const verdict = judge(
    {},
    text,
    {
      recipient: { country: 'US', phone: '+13125550123' },
      contact: {
        erased: false,
        aiPaused: false,
        optedOut: [],
        suppressions: [],
        consent: {
          level: isSufficient ? 'express_written' : level,
          revoked: (consent?.revoked_at ?? null) !== null,
        },
        dnc: { national: false, state: false },
        lastInbound: {},
        marketingSends24h: 0,
        ...more,
      },
      sender: { type: '10dlc', brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
      workspace: { enabledCountries: ['US'], hasPostalAddress: true },
    },
    now,
  )
  return verdict.allowed ? [] : verdict.reasons
}

const consents: Partial<Record<Blocker, Consent | null>> = {
  consent_missing: null,
  captured_at_missing: { ...given, captured_at: null },
  captured_at_invalid: { ...given, captured_at: 'yesterday' },
  captured_at_in_future: { ...given, captured_at: '2027-01-01T00:00:00Z' },
  evidence_missing: { ...given, source_url: null },
  consent_revoked: { ...given, revoked_at: '2026-11-10T12:00:00.000Z' },
}
const cases = Object.entries(consents) as [Blocker, Consent | null][]

test.each(cases)('%s of a lead is a reason of the judge', (blocker, consent) => {
  expect(aiBlockers({ consent, erased_at: null }, [], now)).toEqual([blocker])
  expect(reasonsFor(consent)).toEqual(judgeCodes[blocker])
})

const persons: [Blocker, Partial<Person>][] = [
  ['opted_out', { optedOut: ['sms'] }],
  ['contact_erased', { erased: true }],
  ...(['internal_dnc', 'litigator', 'reassigned_number', 'manual'] as const).map(
    (kind): [Blocker, Partial<Person>] => ['suppressed', { suppressions: [kind] }],
  ),
]

test.each(persons)('%s of a lead is a reason of the judge: %j', (blocker, person) => {
  const [reason, ...others] = reasonsFor(given, person)
  expect(judgeCodes[blocker]).toContain(reason)
  expect(others).toEqual([])
})

test('a lead with nothing against it has none', () => {
  expect([aiBlockers({ consent: given, erased_at: null }, [], now), reasonsFor(given)]).toEqual([[], []])
})
