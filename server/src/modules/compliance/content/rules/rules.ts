import type { Category, ProhibitedCategory } from '../categories.ts'
import { groups } from './groups.ts'
import { legal } from './legal.ts'
import { loans } from './loans.ts'
import { places } from './places.ts'
import { prices } from './prices.ts'
import { promises } from './promises.ts'
import { taxes } from './taxes.ts'

/** What else a family is counts before that it is one. */
const { familial_status, ...otherGroups } = groups

/**
 * Classes of words that have no business near each other in a text of ours: what states a preference or a limit, 42 USC 3604(c)
 * and 24 CFR 100.75, and what many states add. They see words alone, so what is harmless is taken out first. What HUD's memorandum
 * of January 9, 1995 allows is in no rule: rooms, views, what is near, how accessible it is.
 */
export const fairHousing: Readonly<Record<Category, readonly string[]>> = {
  ...otherGroups,
  steering: places,
  familial_status,
}

/** What an AI leaves to people. A question states nothing of it. */
export const prohibited: Readonly<Record<Exclude<ProhibitedCategory, 'topic'>, readonly string[]>> = {
  legal_advice: legal,
  tax_advice: taxes,
  lending_advice: loans,
  price_opinion: prices,
  promise: promises,
}

const place = 'community|communities|neighborhood|building|complex|area|subdivision|park|village|enclave'

/** Housing that the law lets be for older persons, where the listing says that it is (24 CFR 100.300). */
export const seniorHousing: readonly string[] = [
  `(55|60|62|65) [years|yrs] [of] [age] [and|or] (+|plus|over|older|up|better|above)`,
  `(55|60|62|65) [+] (${place}|living|only)`,
  `(over|age|ages|aged|minimum) (55|60|62|65)`,
  `age (restricted|qualified)`,
  `(active|senior) (adult|adults|living) [living|resort|retirement] [${place}]`,
  `(mayores|personas) de (55|60|62) [anos] [o|y] [mas]`,
]
