import { fold, stateCodeOf } from '../../contacts/public.ts'

export interface AddressParts {
  street_number?: string
  street_name?: string
  unit_number?: string
  city?: string
  state?: string
  postal_code?: string
}

const number = /^(\d+[a-z]?(?:-\d+[a-z]?)?(?: 1\/2| ½)?) (.+)$/i
const designators =
  'apt|apartment|unit|suite|ste|no|rm|room|spc|space|lot|fl|floor|bldg|building|ph|penthouse'
const unitAtEnd = new RegExp(
  `^(.*[^\\s,]),? (?:(?:apt|apartment|unit|suite|ste)\\.? ?#? ?|# ?)([a-z0-9-]{1,10})$`,
  'i',
)
/** A part of an address that is a unit by itself: `#2B`, `Apt. 2B`, `2B`, `12`, `B`, `PH-3`, `2nd Floor`, `Rear`. */
const unitAlone = new RegExp(
  `^(?:(?:apt|apartment|unit|suite|ste|no)\\.? ?#? ?|# ?)?(\\d{1,5}[a-z]{0,2}|[a-z]{1,2}-?\\d{1,5}|\\d{1,4}-[a-z0-9]{1,4}|[a-z])$`,
  'i',
)
const placeAlone = new RegExp(
  `^(?:(?:${designators})\\b.{0,20}|\\d{1,2}(?:st|nd|rd|th) (?:floor|fl)\\.?|(?:lower|upper|front|rear|main|garden|basement|bsmt|penthouse|ph)(?: (?:level|unit|floor|fl))?)$`,
  'i',
)
const zip = String.raw`\d{5}(?:-\d{4})?|[a-z]\d[a-z] ?\d[a-z]\d`
const zipAtEnd = new RegExp(`^(?:(.*?),? )?(${zip})$`, 'i')
const country = /^(?:us|usa|united states|canada)$/i

const isUnit = (part: string) => unitAlone.test(part) || placeAlone.test(part)

/** What other columns of the row say. */
type Own = Readonly<Record<string, unknown>>

const same = (own: unknown, found: string, form: (text: string) => string | undefined) =>
  own === undefined || form(String(own)) === form(found)
const place = (text: string) => fold(text).replaceAll(/[^\p{L}]/gu, '')
const fiveDigits = (text: string) =>
  text
    .replaceAll(/[\s-]/g, '')
    .toLowerCase()
    .slice(0, /^\d/.test(text) ? 5 : 6)

/**
 * Splits an address on one line: `48 N Alder Court #3B, Evanston, IL 60201`. What is ambiguous stays in the street. If the
 * row has a city, state, or ZIP of its own, a part of the line is one only if it says the same.
 */
export function splitAddress(text: string, own: Own = {}): AddressParts {
  const parts = text
    .split(/[\n,]/)
    .map((part) => part.trim().replaceAll(/ +/g, ' '))
    .filter((part) => part !== '')
  const found: AddressParts = {}
  const last = () => (parts.length > 1 ? (parts.at(-1) ?? '') : '')
  const replaceLast = (rest: string) => parts.splice(-1, 1, ...(rest === '' ? [] : [rest]))
  if (country.test(last())) parts.pop()
  const [, beforeZip = '', code] = zipAtEnd.exec(last()) ?? []
  if (code !== undefined && same(own['postal_code'], code, fiveDigits)) {
    found.postal_code = code
    replaceLast(beforeZip)
  }
  const [, beforeState = '', lastWord = last()] = /^(.+) ([a-z]{2})$/i.exec(last()) ?? []
  const whole = stateCodeOf(last())
  const state = whole ?? stateCodeOf(lastWord)
  if (state !== undefined && same(own['state'], state, stateCodeOf)) {
    found.state = state
    replaceLast(whole === undefined ? beforeState : '')
  }
  if (last() !== '' && !isUnit(last()) && same(own['city'], last(), place)) found.city = parts.pop() ?? ''
  const alone = parts.length > 1 ? unitAlone.exec(last())?.[1] : undefined
  const named = alone ?? (parts.length > 1 && placeAlone.test(last()) ? last() : undefined)
  if (named !== undefined) {
    found.unit_number = named
    parts.pop()
  }
  const line = parts.join(', ')
  const [, street = line, unit] = (found.unit_number === undefined ? unitAtEnd.exec(line) : null) ?? []
  if (unit !== undefined) found.unit_number = unit
  const [, streetNumber, name = street] = number.exec(street) ?? []
  if (streetNumber !== undefined) found.street_number = streetNumber
  found.street_name = name
  return found
}
