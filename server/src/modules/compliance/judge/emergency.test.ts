import fc from 'fast-check'
import { expect, test } from 'vitest'
import { factsAt, moments, sends } from './arbitrary-sends.ts'
import { judge } from './judge.ts'
import type { SendFacts, Send } from './send.ts'

/** On a Wednesday, 11 a.m. in California and 2 p.m. in New York. */
const now = new Date('2026-07-15T18:00:00Z')
const lately = now.getTime() - 86_400_000
const numbers = { NY: '+12125550123', LA: '+15045550123', GA: '+14045550123' }

const text: Send = {
  channel: 'sms',
  purpose: 'outbound',
  messageClass: 'marketing',
  actor: 'human',
  kind: 'standard',
}

interface Person {
  phone?: string
  state?: string
  level?: SendFacts['contact']['consent']['level']
  revoked?: boolean
  inquiryAt?: number
  wrote?: boolean
}

const factsOf = (
  emergencyStates: string[],
  { phone = numbers.GA, state, level = 'express_written', revoked = false, inquiryAt, wrote = false }: Person,
): SendFacts => ({
  recipient: { phone, country: 'US', state },
  contact: {
    erased: false,
    aiPaused: false,
    optedOut: [],
    suppressions: [],
    consent: { level, revoked },
    inquiryAt,
    dnc: { national: false, state: false },
    lastInbound: wrote ? { sms: now.getTime() - 7_200_000 } : {},
    marketingSends24h: 0,
  },
  sender: { type: '10dlc', brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
  workspace: { enabledCountries: ['US'], emergencyStates, hasPostalAddress: true },
})

/** The codes of the hours gate, followed by the ids of the violated rules. */
function hoursOf(send: Send, facts: SendFacts, at = now) {
  const found = judge('m', send, facts, at).evidence.gates.find(({ gate }) => gate === 'quiet_hours')
  return [...(found?.codes ?? []), ...(found?.rules ?? []).map(({ id }) => id)]
}

test.each<[title: string, states: string[], person: Person, expected: string[]]>([
  ['nothing where no emergency is listed', [], {}, []],
  ['nothing where another state is listed', ['AL', 'NY'], {}, []],
  ['the state of the number', ['GA'], {}, ['restricted_day', 'emergency']],
  ['the state of the address', ['IL'], { state: 'IL' }, ['restricted_day', 'emergency']],
  [
    'the state of the number beside another address',
    ['GA'],
    { state: 'IL' },
    ['restricted_day', 'emergency'],
  ],
  [
    'Louisiana, whatever the person agreed to',
    ['LA'],
    { phone: numbers.LA },
    ['restricted_day', 'la-emergency'],
  ],
  [
    'Louisiana, also for a person who asked',
    ['LA'],
    { phone: numbers.LA, inquiryAt: lately },
    ['restricted_day', 'la-emergency'],
  ],
  [
    'New York for a person who agreed to nothing',
    ['NY'],
    { phone: numbers.NY, level: 'none' },
    ['restricted_day', 'ny-emergency'],
  ],
  [
    'New York for a person who took their consent back',
    ['NY'],
    { phone: numbers.NY, revoked: true, inquiryAt: lately },
    ['restricted_day', 'ny-emergency'],
  ],
  ['not New York with express consent', ['NY'], { phone: numbers.NY, level: 'express' }, []],
  ['not New York after an inquiry', ['NY'], { phone: numbers.NY, level: 'none', inquiryAt: lately }, []],
  [
    'each of two states',
    ['NY', 'LA'],
    { phone: numbers.LA, state: 'NY', level: 'none' },
    ['restricted_day', 'ny-emergency', 'la-emergency'],
  ],
])('an emergency closes %s', (_, states, person, expected) => {
  expect(hoursOf(text, factsOf(states, person))).toEqual(expected)
})

test.each<[title: string, send: Partial<Send>, person: Person, isClosed: boolean]>([
  ['texts', {}, {}, true],
  ['WhatsApp messages', { channel: 'whatsapp' }, {}, true],
  ["people's calls", { channel: 'voice' }, {}, true],
  ['calls of the AI', { channel: 'voice', actor: 'ai' }, {}, true],
  ['replies to a message of long ago', { purpose: 'reply' }, {}, true],
  ['no replies', { purpose: 'reply' }, { wrote: true }, false],
  ['no email', { channel: 'email' }, {}, false],
  ['nothing transactional', { messageClass: 'transactional' }, {}, false],
])('an emergency stops marketing: %s', (_, send, person, isClosed) => {
  const codes = hoursOf({ ...text, ...send }, factsOf(['GA'], person))
  expect(codes).toEqual(isClosed ? ['restricted_day', 'emergency'] : [])
})

test('a verdict cites the law of the state, or the policy of the workspace', () => {
  const { evidence } = judge('m', text, factsOf(['LA', 'NY', 'GA'], { phone: numbers.LA, state: 'GA' }), now)
  expect(evidence.gates.at(-1)?.rules).toEqual([
    { id: 'la-emergency', citation: 'LPSC General Order R-29617' },
    { id: 'emergency', citation: 'Policy of the workspace (emergency_states)' },
  ])
  const newYork = judge('m', text, factsOf(['NY'], { phone: numbers.NY, level: 'none' }), now)
  expect(newYork.evidence.gates.at(-1)?.rules).toEqual([
    { id: 'ny-emergency', citation: 'N.Y. Gen. Bus. Law 399-z(5-a)' },
  ])
})

test('a send blocked by an emergency has no retry_at, by day or by night', () => {
  for (const at of [now, new Date('2026-07-15T04:00:00Z')]) {
    const facts = factsOf(['GA'], {})
    expect(judge('m', text, facts, at)).toMatchObject({
      allowed: false,
      reason: 'restricted_day',
      retryAt: null,
    })
  }
})

test('emergencies in many states affect only outbound marketing by phone', () => {
  const everywhere = ['NY', 'FL', 'TX', 'LA', 'UT', 'RI', 'PA', 'CT', 'OK', 'SD', 'AK', 'TN', 'CA']
  const matters = moments.chain((at) => fc.record({ send: sends, facts: factsAt(at), at: fc.constant(at) }))
  let alike = 0
  fc.assert(
    fc.property(matters, ({ send, facts, at }) => {
      const under = (emergencyStates: string[]) => {
        const { allowed, evidence } = judge(
          'm',
          send,
          { ...facts, workspace: { ...facts.workspace, emergencyStates } },
          at,
        )
        return { allowed, evidence }
      }
      const { evidence } = under([])
      const isSolicitation =
        send.messageClass === 'marketing' &&
        send.channel !== 'email' &&
        evidence.effectivePurpose === 'outbound'
      if (isSolicitation) return
      alike++
      expect(under(everywhere)).toEqual(under([]))
    }),
    { numRuns: 1000 },
  )
  expect(alike).toBeGreaterThan(100)
})
