import type { Category, ProhibitedCategory } from '../finding.ts'
import { groups } from './groups.ts'
import { legal } from './legal.ts'
import { loans } from './loans.ts'
import { places } from './places.ts'
import { prices } from './prices.ts'
import { promises } from './promises.ts'
import { taxes } from './taxes.ts'

/** Familial status comes after the other groups, because the first rule wins if several end at the same word. */
const { familial_status, ...otherGroups } = groups

/**
 * Combinations of words that state a preference or a limit (42 USC 3604(c) and 24 CFR 100.75), including the groups that many states
 * add. The rules see only words, so harmless phrases are hidden from them first. No rule covers what HUD's memorandum of January 9, 1995
 * allows: rooms, views, what is nearby, and accessibility.
 */
export const fairHousing: Readonly<Record<Category, readonly string[]>> = {
  ...otherGroups,
  steering: places,
  familial_status,
}

/** What an AI must leave to people. A question does not state any of it. */
export const prohibited: Readonly<Record<Exclude<ProhibitedCategory, 'topic'>, readonly string[]>> = {
  legal_advice: legal,
  tax_advice: taxes,
  lending_advice: loans,
  price_opinion: prices,
  promise: promises,
}

const place = 'community|communities|neighborhood|building|complex|area|subdivision|park|village|enclave'

/** Housing that the law allows to be for older persons, if the listing says so (24 CFR 100.300). */
export const seniorHousing: readonly string[] = [
  `(55|60|62|65) [years|yrs] [of] [age] [and|or] (+|plus|over|older|up|better|above)`,
  `(55|60|62|65) [+] (${place}|living|only)`,
  `(over|age|ages|aged|minimum) (55|60|62|65)`,
  `age (restricted|qualified)`,
  `(active|senior) (adult|adults|living) [living|resort|retirement] [${place}]`,
  `(mayores|personas) de (55|60|62) [anos] [o|y] [mas]`,
]
