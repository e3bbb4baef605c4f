import { stateCodeOf } from '../../contacts/public.ts'

export interface AddressParts {
  street_number?: string
  street_name?: string
  unit_number?: string
  city?: string
  state?: string
  postal_code?: string
}

const number = /^(\d+[a-z]?(?:-\d+[a-z]?)?(?: 1\/2| ½)?) (.+)$/i
const unitAtEnd = /^(.*[^\s,]),? (?:(?:apt|apartment|unit|suite|ste)\.? ?#? ?|# ?)([a-z0-9-]{1,10})$/i
const zip = String.raw`\d{5}(?:-\d{4})?|[a-z]\d[a-z] ?\d[a-z]\d`
const zipAtEnd = new RegExp(`^(?:(.*?),? )?(${zip})$`, 'i')
const country = /^(?:us|usa|united states|canada)$/i
const unitAlone = /^(?:apt|apartment|unit|suite|ste|#)/i

/** Splits an address on one line: `48 N Alder Court #3B, Evanston, IL 60201`. What is ambiguous stays in the street. */
export function splitAddress(text: string): AddressParts {
  const parts = text
    .split(/[\n,]/)
    .map((part) => part.trim().replaceAll(/ +/g, ' '))
    .filter((part) => part !== '')
  const found: AddressParts = {}
  const last = () => (parts.length > 1 ? (parts.at(-1) ?? '') : '')
  const replaceLast = (rest: string) => parts.splice(-1, 1, ...(rest === '' ? [] : [rest]))
  if (country.test(last())) parts.pop()
  const [, beforeZip = '', code] = zipAtEnd.exec(last()) ?? []
  if (code !== undefined) {
    found.postal_code = code
    replaceLast(beforeZip)
  }
  const [, beforeState = '', lastWord = last()] = /^(.+) ([a-z]{2})$/i.exec(last()) ?? []
  const whole = stateCodeOf(last())
  const state = whole ?? stateCodeOf(lastWord)
  if (state !== undefined) {
    found.state = state
    replaceLast(whole === undefined ? beforeState : '')
  }
  if (last() !== '' && !unitAlone.test(last())) found.city = parts.pop() ?? ''
  const line = parts.join(', ')
  const [, street = line, unit] = unitAtEnd.exec(line) ?? []
  if (unit !== undefined) found.unit_number = unit
  const [, streetNumber, name = street] = number.exec(street) ?? []
  if (streetNumber !== undefined) found.street_number = streetNumber
  found.street_name = name
  return found
}
