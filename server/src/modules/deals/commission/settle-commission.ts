import { type Issue, ValidationFailed } from '#kernel/errors.ts'
import { fromCents, smallestAmount, toCents } from '#kernel/money.ts'
import type { Commission, CommissionDraft, Split, SplitDraft } from './commission.ts'

/** The amounts that a commission is computed from. */
interface Sale {
  price: number | null
  close_price: number | null
  currency: string
}

type GivenSplit = Omit<Split, 'payout'>

/** Percentages as integers with four implied decimals: 1,000,000 is 100 percent. */
const whole = 1_000_000n
const partsOf = (percent: number): bigint => BigInt(Math.round(percent * 10_000))

/**
 * Computes a deal's commission: the gross amount and the payout of each split. Payouts add up to the gross amount, and
 * none is negative. Throws `ValidationFailed` that names the split at fault. Amounts are multiples of the currency's
 * smallest unit.
 */
export function settleCommission(draft: CommissionDraft, sale: Sale): Commission {
  const smallest = smallestAmount(sale.currency)
  const splits = (draft.splits ?? []).map(asGiven)
  requireNone(issuesOf(draft, splits, smallest, sale.currency))
  // From here on, amounts are in the currency's smallest unit.
  const gross = grossOf(draft, sale, smallest)
  const payouts = gross === null ? null : payOut(gross, splits, smallest)
  const money = (units: bigint) => fromCents(units * smallest)
  const sumOf = (type: Split['payee_type']) =>
    payouts &&
    money(payouts.reduce((sum, units, i) => (splits[i]?.payee_type === type ? sum + units : sum), 0n))
  return {
    rate_percent: draft.rate_percent ?? null,
    gci: gross === null ? null : money(gross),
    agent_amount: sumOf('agent'),
    team_amount: sumOf('team'),
    office_amount: sumOf('office'),
    splits: splits.map((split, i) => ({ ...split, payout: payouts && money(payouts[i] ?? 0n) })),
  }
}

/** The request body that would produce this commission. */
export const draftOf = ({ rate_percent, gci, splits }: Commission): CommissionDraft => ({
  ...(rate_percent === null ? { gci } : { rate_percent }),
  splits: splits.map(({ payout: _, ...split }) => split),
})

const asGiven = (split: SplitDraft): GivenSplit => ({
  phase: split.phase ?? 'split',
  payee_type: split.payee_type ?? 'agent',
  payee_id: split.payee_id ?? null,
  from_payee: split.from_payee ?? null,
  percent: split.percent ?? null,
  amount: split.amount ?? null,
  label: split.label ?? null,
})

const at = (i: number) => `commission.splits.${i}`

function requireNone(issues: Issue[]): void {
  if (issues.length > 0) throw ValidationFailed(issues)
}

const fault = (i: number, message: string) => ValidationFailed([{ path: at(i), message }])

/** The name by which a `from_payee` refers to a payee. */
const nameOf = ({ payee_id, label, payee_type }: GivenSplit) => payee_id ?? label ?? payee_type

/** The indexes of the splits that pay the payee from whom a `post_split` takes. */
const givers = (splits: readonly GivenSplit[], taker: number): number[] =>
  splits.flatMap((one, i) => (i !== taker && nameOf(one) === splits[taker]?.from_payee ? [i] : []))

/** Issues that do not depend on the gross amount. */
function issuesOf(
  draft: CommissionDraft,
  splits: readonly GivenSplit[],
  smallest: bigint,
  currency: string,
): Issue[] {
  const isWhole = (amount: number | null | undefined) => toCents(amount ?? 0) % smallest === 0n
  const issues: Issue[] = splits.flatMap((split, i) => {
    const message =
      faultOf(split) ??
      (isWhole(split.amount) ? undefined : `must have a whole amount in ${currency}`) ??
      (split.from_payee === null || givers(splits, i).length > 0
        ? undefined
        : 'has a from_payee that no other split pays')
    return message === undefined ? [] : [{ path: at(i), message }]
  })
  if (typeof draft.gci === 'number' && typeof draft.rate_percent === 'number')
    issues.push({
      path: 'commission.gci',
      message: 'cannot be combined with rate_percent; send only one of them',
    })
  if (!isWhole(draft.gci))
    issues.push({ path: 'commission.gci', message: `must be a whole amount in ${currency}` })
  const shares = splits.filter(({ phase }) => phase === 'split')
  const shared = shares.reduce((sum, { percent }) => sum + partsOf(percent ?? 0), 0n)
  if (splits.length > 0 && shared !== whole)
    issues.push({
      path: 'commission.splits',
      message: `must add up to exactly 100 percent in the phase split; they add up to ${Number(shared) / 10_000}`,
    })
  return issues
}

function faultOf({
  phase,
  payee_type,
  payee_id,
  from_payee,
  percent,
  amount,
  label,
}: GivenSplit): string | undefined {
  if (phase === 'split' && (percent === null || amount !== null)) return 'must have a percent but no amount'
  if ((percent === null) === (amount === null)) return 'must have either a percent or an amount'
  if ((phase === 'post_split') !== (from_payee !== null))
    return phase === 'post_split'
      ? 'must have a from_payee'
      : 'has a from_payee, which is only allowed in a post_split'
  if (payee_type === 'external' && payee_id !== null)
    return 'has a payee_id, which is not allowed for an external payee'
  if (payee_type === 'external' && (label ?? '') === '')
    return 'must have a label that names the external payee'
  return undefined
}

/** Rounds half up. */
const divide = (dividend: bigint, divisor: bigint) => (2n * dividend + divisor) / (2n * divisor)

function grossOf({ gci, rate_percent }: CommissionDraft, sale: Sale, smallest: bigint): bigint | null {
  if (typeof gci === 'number') return toCents(gci) / smallest
  const price = sale.close_price ?? sale.price
  if (typeof rate_percent !== 'number' || price === null) return null
  return divide(toCents(price) * partsOf(rate_percent), whole * smallest)
}

/** The payout of each split, by index. */
function payOut(gross: bigint, splits: readonly GivenSplit[], smallest: bigint): bigint[] {
  const payouts = splits.map(() => 0n)
  const sizeOf = ({ amount, percent }: GivenSplit, base: bigint) =>
    amount === null ? divide(base * partsOf(percent ?? 0), whole) : toCents(amount) / smallest
  const each = (phase: Split['phase'], pay: (split: GivenSplit, i: number) => void) => {
    for (const [i, split] of splits.entries()) if (split.phase === phase) pay(split, i)
  }
  let left = gross
  each('pre_split', (split, i) => {
    const size = sizeOf(split, gross)
    if (size > left) throw fault(i, 'takes more than is left of the gross commission')
    payouts[i] = size
    left -= size
  })
  for (const [i, share] of shareOut(left, splits)) payouts[i] = share
  each('post_split', (split, i) => {
    const giving = givers(splits, i)
    const has = giving.reduce((sum, n) => sum + (payouts[n] ?? 0n), 0n)
    const size = sizeOf(split, has)
    if (size > has) throw fault(i, 'takes more than the giving payee has')
    payouts[i] = size
    let due = size
    for (const n of giving.toReversed()) {
      const part = due < (payouts[n] ?? 0n) ? due : (payouts[n] ?? 0n)
      payouts[n] = (payouts[n] ?? 0n) - part
      due -= part
    }
  })
  return payouts
}

/**
 * Divides an amount by percent. Units lost to rounding down go to the largest remainders, and among equal ones to the
 * first.
 */
function shareOut(amount: bigint, splits: readonly GivenSplit[]): [place: number, share: bigint][] {
  const shares = splits.flatMap(({ phase, percent }, i) => {
    if (phase !== 'split') return []
    const exact = amount * partsOf(percent ?? 0)
    return [{ i, share: exact / whole, remainder: exact % whole }]
  })
  const rest = Number(amount - shares.reduce((sum, { share }) => sum + share, 0n))
  const favored = new Set(
    shares
      .toSorted((a, b) => Number(b.remainder - a.remainder) || a.i - b.i)
      .slice(0, rest)
      .map(({ i }) => i),
  )
  return shares.map(({ i, share }) => [i, favored.has(i) ? share + 1n : share])
}
