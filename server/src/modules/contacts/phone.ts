import { readFileSync } from 'node:fs'
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'

declare const e164: unique symbol

/** A phone number in E.164 without an extension, such as `+13125550123`. `toE164` makes one. */
export type E164 = string & { readonly [e164]: true }

/** An area code of the United States: its state, and every time zone that it reaches. */
export interface AreaCode {
  state: string
  zones: readonly string[]
}

/** Area codes of the United States and its territories, as their administrator published them. */
export const { codes: usAreaCodes } = JSON.parse(
  readFileSync(new URL('area-codes.json', import.meta.url), 'utf8'),
) as { codes: Readonly<Record<string, AreaCode>> }

const northAmerican = /^\+1([2-9]\d\d)[2-9]\d{6}$/

/**
 * Parses a phone number; an extension is dropped. Without a country code the number is taken for one of the United States.
 * Returns undefined for what cannot be a phone number. Accepts area codes in service that the library does not know.
 */
export function toE164(text: string): E164 | undefined {
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false })
  if (parsed === undefined) return undefined
  const number = parsed.number as string as E164
  return parsed.isValid() || areaCodeOf(number) !== undefined ? number : undefined
}

/** The area code, for numbers of the United States. */
export function areaCodeOf(number: E164): string | undefined {
  const [, code] = northAmerican.exec(number) ?? []
  return code !== undefined && Object.hasOwn(usAreaCodes, code) ? code : undefined
}

/** The state of an area code, as two letters. */
export const stateOfAreaCode = (code: string): string | undefined =>
  Object.hasOwn(usAreaCodes, code) ? usAreaCodes[code]?.state : undefined

const callingCodes = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)))
const stars = '******'

/**
 * `+13125550123` → `+1******0123`: the calling code, if the number has one, and the last four digits, if enough stay hidden
 * before them. Takes numbers as people write them. The number of stars does not depend on the number's length.
 */
export function maskPhone(phone: string): string {
  const digits = phone.replaceAll(/\D+/g, '')
  const code = phone.trimStart().startsWith('+') ? callingCode(digits) : ''
  const rest = digits.slice(code.length)
  return (code === '' ? '' : `+${code}`) + stars + (rest.length >= 7 ? rest.slice(-4) : '')
}

/** No calling code begins with another, so the first match is the only one. */
function callingCode(digits: string): string {
  for (let length = 1; length <= 3; length++) {
    if (callingCodes.has(digits.slice(0, length))) return digits.slice(0, length)
  }
  return ''
}
