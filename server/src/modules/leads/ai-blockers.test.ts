import { expect, test } from 'vitest'
import type { SuppressionRow } from '../compliance/public.ts'
import { aiBlockers } from './ai-blockers.ts'
import type { Blocker, Consent } from './consent.ts'

const now = new Date('2026-11-20T18:00:00.000Z')
const erased_at = '2026-11-19T18:00:00.000Z'
const revoked_at = '2026-11-10T12:00:00.000Z'

const given: Consent = {
  captured_at: '2026-11-01T12:00:00Z',
  source_url: 'https://lakeside.example/valuation',
  ip: null,
  form_snapshot: null,
  form_sha256: null,
  received_at: '2026-11-01T12:00:00.000Z',
  revoked_at: null,
}

const row = (kind: SuppressionRow['kind'], channels: SuppressionRow['channels']) =>
  ({ kind, channels }) as SuppressionRow
const byPhone = ['sms', 'voice_auto', 'whatsapp'] as const

const consents: [Blocker[], Consent | null][] = [
  [[], given],
  [['consent_missing'], null],
  [['captured_at_missing'], { ...given, captured_at: null }],
  [['captured_at_invalid'], { ...given, captured_at: 'yesterday' }],
  [['captured_at_in_future'], { ...given, captured_at: '2027-01-01T00:00:00Z' }],
  [['evidence_missing'], { ...given, source_url: null }],
  [['consent_revoked'], { ...given, revoked_at }],
  [
    ['captured_at_missing', 'evidence_missing', 'consent_revoked'],
    { ...given, captured_at: null, source_url: null, revoked_at },
  ],
]

test.each(consents)('the consent of a lead causes the blockers %j', (blockers, consent) => {
  expect(aiBlockers({ consent, erased_at: null }, [], now)).toEqual(blockers)
})

test.each([
  ['opted_out', 'opted_out', ['sms']],
  ['opted_out', 'opted_out', ['voice_auto']],
  ['opted_out', 'opted_out', ['whatsapp']],
  [undefined, 'opted_out', ['email']],
  ['suppressed', 'internal_dnc', byPhone],
  ['suppressed', 'litigator', byPhone],
  ['suppressed', 'reassigned_number', byPhone],
  ['suppressed', 'manual', ['email', ...byPhone]],
  [undefined, 'complaint', ['email']],
  [undefined, 'hard_bounce', ['email']],
  [undefined, 'consent_revoked', byPhone],
] as const)('the blocker is %s if %s applies to %j', (blocker, kind, channels) => {
  const blockers = aiBlockers({ consent: given, erased_at: null }, [row(kind, [...channels])], now)
  expect(blockers).toEqual(blocker === undefined ? [] : [blocker])
})

test('all blockers are listed, in a fixed order', () => {
  const held = [row('manual', ['sms']), row('opted_out', ['sms'])]
  expect(aiBlockers({ consent: null, erased_at }, held, now)).toEqual([
    'consent_missing',
    'opted_out',
    'suppressed',
    'contact_erased',
  ])
})
