import type { Figure } from './whole-figures.ts'

const named = new Map(
  'zero|cero|oh|o one|uno|una two|dos three|tres four|cuatro five|cinco six|seis seven|siete eight|ocho nine|nueve'
    .split(' ')
    .flatMap((names, digit) => names.split('|').map((name) => [name, String(digit)] as const)),
)
const digit = `\\d|${[...named.keys()].toSorted((a, b) => b.length - a.length).join('|')}`

/** At least four digits or names of digits, grouped in any way. Not an amount of money. */
const runPattern = new RegExp(
  `(?<![\\w$€.,])[(]?(?:(?:${digit})(?:, ?(?=[a-z])|[ .()-]{0,3})){3,39}(?:${digit})(?![a-z\\d])`,
  'gi',
)
const onePattern = new RegExp(digit, 'gi')
const ibanPattern = /\b[A-Z]{2}\d\d(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?\b/g
const labelled =
  /\b(?:account|acct|routing|aba|iban|card|cuenta|tarjeta|ruta)(?:[ :#.]{1,3}(?:number|num|no|numero|is|es|de|the|ending in))*[ :#.]{1,3}$/i

/**
 * Finds phone numbers, and numbers of accounts, cards, and routing, however their digits are written and grouped. Fewer
 * digits than a phone number's count only after a word such as `account`.
 */
export function digitsIn(text: string): Figure[] {
  const figures: Figure[] = []
  for (const { 0: found, index: start } of text.matchAll(ibanPattern))
    figures.push({
      category: 'account',
      values: [found.replaceAll(' ', '')],
      start,
      end: start + found.length,
    })
  for (const { 0: found, index: start } of text.matchAll(runPattern)) {
    const end = start + found.length
    if (figures.some((one) => start < one.end && one.start < end)) continue
    const digits = (found.match(onePattern) ?? []).map((one) => named.get(one.toLowerCase()) ?? one).join('')
    const category = categoryOf(digits, found, text.slice(Math.max(0, start - 40), start))
    if (category !== undefined)
      figures.push({
        category,
        values: category === 'phone' ? [digits.slice(-10)] : [digits, digits.replace(/^0+/, '')],
        start,
        end,
      })
  }
  return figures
}

function categoryOf(digits: string, found: string, before: string): 'phone' | 'account' | undefined {
  if (labelled.test(before)) return 'account'
  const gaps = found.split(onePattern).filter((gap) => gap !== '')
  // A list.
  if (gaps.length > 0 && gaps.every((gap) => gap.includes(','))) return undefined
  if (digits.length === 10 || (digits.length === 11 && digits.startsWith('1'))) return 'phone'
  return digits.length > 11 ? 'account' : undefined
}
