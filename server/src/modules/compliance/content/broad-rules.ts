import type { Category, ProhibitedCategory } from './categories.ts'
import { groups } from './rules/groups.ts'
import { legal } from './rules/legal.ts'
import { loans } from './rules/loans.ts'
import { places } from './rules/places.ts'
import { prices } from './rules/prices.ts'
import { promises } from './rules/promises.ts'
import { taxes } from './rules/taxes.ts'

/**
 * The rules of `rules/`: classes of words that have no business near each other in a text of ours. They see words alone, so what
 * is harmless is taken out first, and a question states nothing of a price, a law or a loan.
 */
export const broadFairHousing: Readonly<Record<Category, readonly string[]>> = { ...groups, steering: places }

export const broadProhibited: Readonly<Record<Exclude<ProhibitedCategory, 'topic'>, readonly string[]>> = {
  legal_advice: legal,
  tax_advice: taxes,
  lending_advice: loans,
  price_opinion: prices,
  promise: promises,
}
