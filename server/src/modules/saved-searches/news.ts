import type { Listing } from '../listings/public.ts'

/** ISO 8601 times; `since` is exclusive, `until` is inclusive. */
export interface NewsSpan {
  since: string
  until: string
}

/** Why a listing is in a digest. */
export type News = { kind: 'new' } | { kind: 'back' } | { kind: 'reduced'; from: number }

/** Why a listing became news within the span: new, back on the market, or reduced. Undefined if it did not. */
export function newsOf(
  {
    listed_at,
    relisted_at,
    price_history,
    list_price,
  }: Pick<Listing, 'listed_at' | 'relisted_at' | 'price_history' | 'list_price'>,
  { since, until }: NewsSpan,
): News | undefined {
  const isWithin = (at: string | null) => at !== null && at > since && at <= until
  if (isWithin(listed_at)) return { kind: 'new' }
  if (isWithin(relisted_at)) return { kind: 'back' }
  const priceAt = (time: string) => price_history.findLast(({ at }) => at <= time)?.list_price
  const from = priceAt(since) ?? price_history[0]?.list_price
  const to = priceAt(until)
  if (from === undefined || to === undefined || list_price === null) return undefined
  return to < from && list_price < from ? { kind: 'reduced', from } : undefined
}
