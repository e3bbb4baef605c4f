import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AppError } from '#kernel/errors.ts'
import { smallestAmount, toCents } from '#kernel/money.ts'
import type { CommissionDraft, SplitDraft } from './commission.ts'
import { draftOf, settleCommission } from './settle-commission.ts'

const sale = (price: number | null, currency = 'USD', close_price: number | null = null) => ({
  price,
  close_price,
  currency,
})

const pathsOf = (draft: CommissionDraft, of = sale(400_000)): string[] => {
  try {
    settleCommission(draft, of)
    return []
  } catch (error) {
    return (error as AppError).body.details?.map(({ path }) => path) ?? ['?']
  }
}

const shares = (...percents: number[]): SplitDraft[] => percents.map((percent) => ({ percent }))
const payoutsOf = (draft: CommissionDraft, of = sale(null)) =>
  settleCommission(draft, of).splits.map(({ payout }) => payout)

test.each<[string, CommissionDraft, ReturnType<typeof sale>, number | null]>([
  ['as given', { gci: 12_345.67 }, sale(1), 12_345.67],
  ['a rate of the price', { rate_percent: 2.5 }, sale(450_000), 11_250],
  ['of the closing price before it', { rate_percent: 2.5 }, sale(450_000, 'USD', 440_000), 11_000],
  ['half a cent is rounded up', { rate_percent: 0.5 }, sale(1), 0.01],
  ['less than that is rounded down', { rate_percent: 0.4999 }, sale(1), 0],
  ['four decimals of the rate count', { rate_percent: 2.3456 }, sale(1_000_000), 23_456],
  ['of the largest price, exactly', { rate_percent: 99.9999 }, sale(999_999_999_999.99), 999_998_999_999.99],
  ['yen are whole, half up', { rate_percent: 2.5 }, sale(20, 'JPY'), 1],
  ['nothing is known without a price', { rate_percent: 3 }, sale(null), null],
  ['or without a rate', {}, sale(450_000), null],
])('gross commission: %s', (_, draft, of, gci) => expect(settleCommission(draft, of).gci).toBe(gci))

test.each<[string, CommissionDraft, (number | null)[]]>([
  [
    'a third each: the first get the cents',
    { gci: 100, splits: shares(33.3333, 33.3333, 33.3334) },
    [33.33, 33.33, 33.34],
  ],
  ['the largest remainder gets the cent', { gci: 0.1, splits: shares(33, 67) }, [0.03, 0.07]],
  ['of equal remainders the first', { gci: 0.01, splits: shares(50, 50) }, [0.01, 0]],
  [
    'off the top, shared, and moved',
    {
      gci: 10_000,
      splits: [
        { phase: 'pre_split', payee_type: 'external', label: 'Referral', percent: 25 },
        { phase: 'pre_split', payee_type: 'office', amount: 500 },
        { percent: 70 },
        { payee_type: 'office', percent: 30 },
        { phase: 'post_split', payee_type: 'office', from_payee: 'agent', amount: 395 },
        { phase: 'post_split', payee_type: 'team', label: 'Team', from_payee: 'agent', percent: 10 },
      ],
    },
    [2500, 500, 4054.5, 2100, 395, 450.5],
  ],
  [
    'what is moved may be moved on, from the last split of the payee first',
    {
      gci: 100,
      splits: [
        { phase: 'pre_split', payee_type: 'office', amount: 10 },
        { percent: 50 },
        { payee_type: 'office', percent: 50 },
        { phase: 'post_split', from_payee: 'office', amount: 50 },
        { phase: 'post_split', payee_type: 'external', label: 'MLS', from_payee: 'agent', percent: 100 },
      ],
    },
    [5, 0, 0, 0, 95],
  ],
  ['nothing yet without a gross commission', { splits: shares(100) }, [null]],
])('payouts: %s', (_, draft, payouts) => expect(payoutsOf(draft)).toEqual(payouts))

test('totals the payouts by payee type', () => {
  const splits: SplitDraft[] = [
    { percent: 60 },
    { payee_type: 'team', percent: 15 },
    { payee_type: 'office', percent: 25 },
  ]
  expect(settleCommission({ gci: 1000, splits }, sale(null))).toMatchObject({
    agent_amount: 600,
    team_amount: 150,
    office_amount: 250,
  })
})

describe('rejects with the path of the field:', () => {
  const post = (split: SplitDraft): CommissionDraft => ({
    gci: 100,
    splits: [{ percent: 100 }, { phase: 'post_split', payee_type: 'office', from_payee: 'agent', ...split }],
  })
  test.each<[string, CommissionDraft, string, string?]>([
    ['gci beside a rate', { gci: 1, rate_percent: 1 }, 'commission.gci'],
    ['cents of yen', { gci: 1.5 }, 'commission.gci', 'JPY'],
    [
      'cents of yen in a split',
      { gci: 10, splits: [{ phase: 'pre_split', amount: 0.5 }, { percent: 100 }] },
      'commission.splits.0',
      'JPY',
    ],
    ['99 percent', { splits: shares(99) }, 'commission.splits'],
    ['100.0001 percent', { splits: shares(100, 0.0001) }, 'commission.splits'],
    ['a share by amount', { splits: [...shares(100), { amount: 1 }] }, 'commission.splits.1'],
    [
      'neither percent nor amount',
      { splits: [...shares(100), { phase: 'pre_split' }] },
      'commission.splits.1',
    ],
    [
      'both',
      { splits: [...shares(100), { phase: 'pre_split', percent: 1, amount: 1 }] },
      'commission.splits.1',
    ],
    [
      'more off the top than there is',
      { gci: 100, splits: [...shares(100), { phase: 'pre_split', amount: 100.01 }] },
      'commission.splits.1',
    ],
    [
      'more off the top in two parts',
      {
        gci: 100,
        splits: [...shares(100), { phase: 'pre_split', percent: 60 }, { phase: 'pre_split', amount: 50 }],
      },
      'commission.splits.2',
    ],
    ['more moved than the payee has', post({ amount: 100.01 }), 'commission.splits.1'],
    ['moved from no one', post({ from_payee: null, amount: 1 }), 'commission.splits.1'],
    ['moved from someone who gets nothing', post({ from_payee: 'Bo', amount: 1 }), 'commission.splits.1'],
    ['a giver of a share', { splits: [{ percent: 100, from_payee: 'office' }] }, 'commission.splits.0'],
    [
      'an external payee without a name',
      { splits: [{ percent: 100, payee_type: 'external' }] },
      'commission.splits.0',
    ],
    [
      'an external payee with an id',
      { splits: [{ percent: 100, payee_type: 'external', label: 'Bo', payee_id: 'x' }] },
      'commission.splits.0',
    ],
  ])('%s', (_, draft, path, currency) => expect(pathsOf(draft, sale(400_000, currency))).toEqual([path]))
})

/** Shares that add up to 100 percent, with at most four decimals. */
const percents = fc.uniqueArray(fc.integer({ min: 1, max: 999_999 }), { maxLength: 8 }).map((cuts) => {
  const points = [0, ...cuts.toSorted((a, b) => a - b), 1_000_000]
  return points.slice(1).map((point, i) => (point - (points[i] ?? 0)) / 10_000)
})
const size = fc.oneof(
  fc.integer({ min: 0, max: 400_000 }).map((parts) => ({ percent: parts / 10_000 })),
  fc.integer({ min: 0, max: 50_000 }).map((amount) => ({ amount })),
)
const drafts = fc.record({
  currency: fc.constantFrom('USD', 'JPY'),
  gci: fc.integer({ min: 0, max: 100_000_000 }),
  pre: fc.array(size, { maxLength: 3 }),
  percents,
  post: fc.array(size, { maxLength: 3 }),
})

test('payouts are valid amounts, never negative, and add up to the gross commission', () => {
  let settled = 0
  fc.assert(
    fc.property(drafts, ({ currency, gci, pre, percents: each, post }) => {
      const splits: SplitDraft[] = [
        ...pre.map((one) => ({ ...one, phase: 'pre_split' as const, payee_type: 'office' as const })),
        ...shares(...each),
        ...post.map((one) => ({
          ...one,
          phase: 'post_split' as const,
          payee_type: 'office' as const,
          from_payee: 'agent',
        })),
      ]
      const smallest = smallestAmount(currency)
      const draft = { gci: currency === 'JPY' ? gci : gci / 100, splits }
      if (pathsOf(draft, sale(null, currency)).length > 0) return
      settled++
      const commission = settleCommission(draft, sale(null, currency))
      const cents = commission.splits.map(({ payout }) => toCents(payout ?? -1))
      expect(cents.reduce((sum, one) => sum + one, 0n)).toBe(toCents(draft.gci))
      for (const one of cents) expect([one >= 0n, one % smallest]).toEqual([true, 0n])
      // Settling the stored commission again gives the same result.
      expect(settleCommission(draftOf(commission), sale(null, currency))).toEqual(commission)
    }),
    { numRuns: 300 },
  )
  expect(settled).toBeGreaterThan(50)
})

test('a share is within a cent of its exact part, and a higher percentage never pays less', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), percents, (cents, each) => {
      const paid = payoutsOf({ gci: cents / 100, splits: shares(...each) }).map((payout) =>
        toCents(payout ?? -1),
      )
      for (const [i, percent] of each.entries()) {
        const exact = (cents * percent) / 100
        expect(Math.abs(Number(paid[i]) - exact)).toBeLessThan(1 + 1e-6)
        for (const [j, other] of each.entries())
          if (percent > other) expect(Number(paid[i])).toBeGreaterThanOrEqual(Number(paid[j]))
      }
    }),
  )
})
