import fc from 'fast-check'
import { expect, test } from 'vitest'
import { factsAt, findings, moments, sends } from './arbitrary-sends.ts'
import { type Cleared, NotCleared, judge, open } from './judge.ts'
import type { SendFacts, Send } from './send.ts'

const runs = { numRuns: 3000 }
const matters = moments.chain((now) => fc.record({ send: sends, facts: factsAt(now), now: fc.constant(now) }))

/** Each function removes one fact that favors a send, or adds one against it. */
const stricter: ((facts: SendFacts) => SendFacts)[] = [
  (facts) => ({ ...facts, contact: { ...facts.contact, erased: true } }),
  (facts) => ({ ...facts, contact: { ...facts.contact, aiPaused: true } }),
  (facts) => ({ ...facts, contact: { ...facts.contact, optedOut: ['all'] } }),
  (facts) => ({ ...facts, contact: { ...facts.contact, suppressions: ['manual'] } }),
  (facts) => ({
    ...facts,
    contact: { ...facts.contact, consent: { ...facts.contact.consent, level: 'none' } },
  }),
  (facts) => ({
    ...facts,
    contact: { ...facts.contact, consent: { ...facts.contact.consent, revoked: true } },
  }),
  (facts) => ({ ...facts, contact: { ...facts.contact, inquiryAt: undefined } }),
  (facts) => ({ ...facts, contact: { ...facts.contact, transactionAt: undefined } }),
  (facts) => ({ ...facts, contact: { ...facts.contact, dnc: { national: true, state: true } } }),
  (facts) => ({
    ...facts,
    contact: { ...facts.contact, dnc: { national: 'unavailable', state: 'unavailable' } },
  }),
  (facts) => ({ ...facts, contact: { ...facts.contact, lastInbound: {} } }),
  (facts) => ({
    ...facts,
    contact: { ...facts.contact, marketingSends24h: facts.contact.marketingSends24h + 3 },
  }),
  (facts) => ({ ...facts, content: [...(facts.content ?? []), ...findings] }),
  (facts) => ({ ...facts, sender: null }),
  (facts) => ({ ...facts, workspace: { ...facts.workspace, hasPostalAddress: false } }),
  (facts) => ({ ...facts, workspace: { ...facts.workspace, enabledCountries: [] } }),
  (facts) => ({
    ...facts,
    workspace: {
      ...facts.workspace,
      emergencyStates: [...facts.workspace.emergencyStates, 'NY', 'UT', 'CA', 'LA'],
    },
  }),
]

test('a fact that speaks against a send never makes a blocked send allowed', () => {
  fc.assert(
    fc.property(matters, fc.constantFrom(...stricter), ({ send, facts, now }, tighten) => {
      if (judge('m', send, facts, now).allowed) return
      expect(judge('m', send, tighten(facts), now).allowed).toBe(false)
    }),
    runs,
  )
})

test('a do-not-call list that is not set up is a warning, whichever of the two it is', () => {
  let warned = 0
  fc.assert(
    fc.property(matters, ({ send, facts, now }) => {
      const warningsWith = (national: false | undefined, state: false | undefined) => {
        const contact = { ...facts.contact, dnc: { national, state } }
        return judge('m', send, { ...facts, contact }, now).evidence.warnings
      }
      const none = warningsWith(undefined, undefined)
      expect(warningsWith(false, undefined)).toEqual(none)
      expect(warningsWith(undefined, false)).toEqual(none)
      expect(warningsWith(false, false)).not.toContain('dnc_list_not_configured')
      if (none.includes('dnc_list_not_configured')) warned++
    }),
    runs,
  )
  expect(warned).toBeGreaterThan(100)
})

test('retry_at is the first moment at which the same send is allowed, and given only if waiting helps', () => {
  let waited = 0
  fc.assert(
    fc.property(matters, fc.double({ min: 0, max: 1, noNaN: true }), ({ send, facts, now }, part) => {
      const verdict = judge('m', send, facts, now)
      if (verdict.allowed || verdict.retryAt === null) return
      waited++
      const at = (moment: number) => judge('m', send, facts, new Date(moment)).allowed
      expect(at(verdict.retryAt)).toBe(true)
      expect(at(verdict.retryAt - 1)).toBe(false)
      expect(at(Math.floor(now.getTime() + part * (verdict.retryAt - 1 - now.getTime())))).toBe(false)
    }),
    runs,
  )
  expect(waited).toBeGreaterThan(100)
})

test('an allowed send stays within the hours until validUntil, and is outside them at that instant', () => {
  let ended = 0
  fc.assert(
    fc.property(matters, fc.double({ min: 0, max: 1, noNaN: true }), ({ send, facts, now }, part) => {
      const verdict = judge('m', send, facts, now)
      if (!verdict.allowed || verdict.cleared.validUntil === Number.POSITIVE_INFINITY) return
      ended++
      const { validUntil } = verdict.cleared
      const isClosed = (moment: number) => {
        const then = judge('m', send, facts, new Date(moment))
        // What is sent as a reply stays one.
        if (then.evidence.effectivePurpose !== verdict.evidence.effectivePurpose) return moment === validUntil
        return (
          !then.allowed && then.reasons.some((code) => code === 'quiet_hours' || code === 'restricted_day')
        )
      }
      expect(isClosed(validUntil)).toBe(true)
      expect(isClosed(validUntil - 1)).toBe(false)
      expect(isClosed(Math.floor(now.getTime() + part * (validUntil - 1 - now.getTime())))).toBe(false)
    }),
    runs,
  )
  expect(ended).toBeGreaterThan(100)
})

test('what is blocked in one possible zone is blocked', () => {
  let zones = 0
  fc.assert(
    fc.property(matters, ({ send, facts, now }) => {
      const whole = judge('m', send, facts, now)
      if (!whole.allowed) return
      zones += whole.evidence.zones.length
      for (const { zone } of whole.evidence.zones) {
        const there = { ...facts, recipient: { ...facts.recipient, timezone: zone } }
        expect(judge('m', send, there, now).allowed, zone).toBe(true)
      }
    }),
    runs,
  )
  expect(zones).toBeGreaterThan(100)
})

const now = new Date('2026-07-15T18:00:00Z')
const allowedSend: Send = {
  channel: 'sms',
  purpose: 'outbound',
  messageClass: 'marketing',
  actor: 'human',
  kind: 'standard',
}
const harmless: SendFacts = {
  recipient: { phone: '+12125550123', country: 'US' },
  contact: {
    erased: false,
    aiPaused: false,
    optedOut: [],
    suppressions: [],
    consent: { level: 'express_written', revoked: false },
    dnc: { national: false, state: false },
    lastInbound: {},
    marketingSends24h: 0,
  },
  sender: { type: '10dlc', brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
  workspace: { enabledCountries: ['US'], emergencyStates: [], hasPostalAddress: true },
}

function clear(at: Date): Cleared<string> {
  const verdict = judge('Hello', allowedSend, harmless, at)
  if (!verdict.allowed) throw new Error(verdict.reason)
  return verdict.cleared
}

test('an approved sender of another channel counts as not configured', () => {
  const approved: NonNullable<SendFacts['sender']>[] = [
    { type: '10dlc', brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
    { type: 'tollfree', verification: 'APPROVED' },
    { type: 'shortcode', status: 'ACTIVE' },
    { type: 'whatsapp', status: 'APPROVED' },
    { type: 'email', domainAuthenticated: true },
    { type: 'voice' },
  ]
  const fitting = (['sms', 'whatsapp', 'email'] as const).map((channel) => {
    const send: Send = { ...allowedSend, channel, oneClickUnsubscribe: true }
    const blockedBySender = (sender: SendFacts['sender']) => {
      const verdict = judge('m', send, { ...harmless, sender }, now)
      return !verdict.allowed && verdict.reasons.includes('sender_not_configured')
    }
    return approved.filter((sender) => !blockedBySender(sender)).map(({ type }) => type)
  })
  expect(fitting).toEqual([['10dlc', 'tollfree', 'shortcode'], ['whatsapp'], ['email']])
})

test('the content gate blocks AI sends, even replies, warns people, and precedes the frequency cap', () => {
  const facts: SendFacts = {
    ...harmless,
    content: findings,
    recipient: { phone: '+13055550123', country: 'US', state: 'FL' },
    contact: { ...harmless.contact, marketingSends24h: 3, lastInbound: { sms: now.getTime() } },
  }
  const judged = (actor: Send['actor'], purpose: Send['purpose']) =>
    judge('m', { ...allowedSend, actor, purpose }, facts, now)
  expect(judged('ai', 'outbound')).toMatchObject({ reasons: ['content_fair_housing', 'frequency_cap'] })
  expect(judged('ai', 'reply')).toMatchObject({ reasons: ['content_fair_housing'], retryAt: null })
  const { evidence } = judged('ai', 'reply')
  expect(evidence.gates.find(({ gate }) => gate === 'content')?.rules).toEqual([
    { id: 'steering', citation: '42 USC 3604(a), 24 CFR 100.70' },
  ])
  for (const actor of ['human', 'automation'] as const) {
    const verdict = judged(actor, 'reply')
    expect([verdict.allowed, verdict.evidence.warnings]).toEqual([true, ['content_fair_housing']])
  }
})

test('a cleared message can be opened only once', () => {
  const cleared = clear(now)
  expect(open(cleared, now)).toBe('Hello')
  expect(() => open(cleared, now)).toThrow(NotCleared)
})

test('a clearance expires after five seconds, and when quiet hours begin', () => {
  expect(open(clear(now), new Date(now.getTime() + 4999))).toBe('Hello')
  expect(() => open(clear(now), new Date(now.getTime() + 5000))).toThrow(NotCleared)
  const closing = Date.parse('2026-07-16T01:00:00Z')
  const late = clear(new Date(closing - 1000))
  expect(late.validUntil).toBe(closing)
  expect(() => open(late, new Date(closing))).toThrow(NotCleared)
})

test('a forged clearance cannot be opened', () => {
  const cleared = clear(now)
  const forged = [
    {},
    { message: 'Hello', validUntil: Number.POSITIVE_INFINITY },
    { ...cleared },
    structuredClone({ ...cleared }),
    Object.create(cleared),
    Object.create(Object.getPrototypeOf(cleared)),
    new Proxy(cleared, {}),
  ]
  for (const one of forged) expect(() => open(one as Cleared<string>, now)).toThrow(NotCleared)
  expect(JSON.stringify(cleared)).not.toContain('Hello')
})
