import { figuresIn } from './figures/figures.ts'

/** Housing for older persons, as facts or listings describe it. */
const senior =
  /\b(?:55|60|62|65) ?(?:\+|plus|and (?:over|older|up|better)|or (?:over|older|better)|(?:anos )?o mas)|\bage[- ](?:restricted|qualified)|\b(?:active adult|senior living|senior housing|older persons)|\b(?:mayores de|over|above|at least) (?:55|60|62|65)\b/i

export const namesSeniors = (text: string): boolean => senior.test(text)

/** Whether facts say that a text is about such housing. False if it names an address from another fact and none from these. */
export function isOfSeniorHousing(text: string, facts: readonly string[]): boolean {
  const telling = facts.filter(namesSeniors)
  if (telling.length === 0) return false
  const named = addressesIn(text)
  if (named.length === 0) return true
  const own = new Set(telling.flatMap(addressesIn))
  const others = new Set(facts.filter((fact) => !namesSeniors(fact)).flatMap(addressesIn))
  return named.some((address) => own.has(address)) || !named.some((address) => others.has(address))
}

/** The numbers of addresses, each with the first word of its street's name. */
const addressesIn = (text: string): string[] =>
  figuresIn(text).flatMap(({ category, values }) =>
    category === 'address' ? values.map((value) => value.split(' ').slice(0, 2).join(' ')) : [],
  )
