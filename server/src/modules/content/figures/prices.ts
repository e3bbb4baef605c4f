import type { Token } from './numbers.ts'

export const money = new Set(
  'dollars dollar dollers dollors dolers usd bucks dolares dolar pesos mxn euros'.split(' '),
)
const offered = new Set(
  'listed priced asking sold offered reduced dropped costs cost price rent fee dues deposit taxes cuesta piden precio renta'.split(
    ' ',
  ),
)

/** `a rate of 2.9`, `APR: 6`, `a score of 650`: a small number after a rate or a large one after a score, with no unit after it. */
export function isRated(tokens: readonly Token[], at: number): boolean {
  const text = (i: number) => tokens[i]?.text ?? ''
  const value = tokens[at]?.value ?? 0
  if (!/^(?:|[.,!?;)]|and|or|for|on|today|with|fixed|now|y|con|fija|minimum|to)$/.test(text(at + 1)))
    return false
  let before = at - 1
  while (
    before > at - 4 &&
    /^(?:of|is|at|are|to|from|around|about|under|near|:|de|es|del|desde|be|must|over|above|minimum|least)$/.test(
      text(before),
    )
  )
    before--
  if (value <= 25) return /^(?:rate|rates|apr|interest|tasa|tasas|interes)$/.test(text(before))
  return value >= 300 && value <= 850 && /^(?:score|scores|fico|puntaje)$/.test(text(before))
}

/** `listed at 485`, `the dues are 240`: a number of three digits or more after a word for a price, with no unit after it. */
export const isPriced = (tokens: readonly Token[], at: number): boolean =>
  isMonthly(tokens, at) ||
  isGrouped(tokens, at) ||
  ((tokens[at]?.value ?? 0) >= 100 &&
    /^(?:|[.,!?;]|a|al|per|but|and|so|with|now|today|pero|y)$/.test(tokens[at + 1]?.text ?? '') &&
    !/^(?:1[89]|20)\d\d$/.test(tokens[at]?.text ?? '') &&
    tokens.slice(Math.max(0, at - 4), at).some(({ text }) => offered.has(text)))

/** `1,950 al mes`, `2650 a month`. */
const isMonthly = (tokens: readonly Token[], at: number): boolean => {
  const [first, second] = [tokens[at + 1]?.text ?? '', tokens[at + 2]?.text ?? '']
  return (
    (tokens[at]?.value ?? 0) >= 100 &&
    (/^(?:monthly|mensuales|mensual)$/.test(first) ||
      (/^(?:a|al|per|por|\/)$/.test(first) && /^(?:month|mo|mes|year|yr|ano|quarter|week)$/.test(second)))
  )
}

/** `at 689,000`, if it does not count anything. */
const isGrouped = (tokens: readonly Token[], at: number): boolean =>
  (tokens[at]?.value ?? 0) >= 20_000 &&
  /\d[.,]\d{3}/.test(tokens[at]?.text ?? '') &&
  !/^(?:square|sq|sqft|pies|metros|people|homes|residents|students|miles|personas|casas)$/.test(
    tokens[at + 1]?.text ?? '',
  )

/** The end of `three times the rent`. */
export function priceAfter(tokens: readonly Token[], at: number): number | undefined {
  if (!/^(?:times|x|veces)$/.test(tokens[at + 1]?.text ?? '')) return undefined
  const to = tokens
    .slice(at + 2, at + 6)
    .findIndex(({ text }) => /^(?:rent|income|renta|salary|payment)$/.test(text))
  return to < 0 ? undefined : at + 2 + to
}
