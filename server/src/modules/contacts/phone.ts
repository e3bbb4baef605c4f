import { readFileSync } from 'node:fs'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

declare const e164: unique symbol

/** A phone number in E.164 format without an extension, such as `+13125550123`. Create one with `toE164`. */
export type E164 = string & { readonly [e164]: true }

/** An area code of the United States: its state, and every time zone that it covers. */
export interface AreaCode {
  state: string
  zones: readonly string[]
}

/** Area codes of the United States and its territories, as published by their administrator. */
export const { codes: usAreaCodes } = JSON.parse(
  readFileSync(new URL('area-codes.json', import.meta.url), 'utf8'),
) as { codes: Readonly<Record<string, AreaCode>> }

const northAmerican = /^\+1([2-9]\d\d)[2-9]\d{6}$/

/**
 * Parses a phone number and drops its extension. A number without a country code counts as a US number. Returns
 * undefined for text that is not a valid phone number. Accepts area codes in service that the library does not know.
 */
export function toE164(text: string): E164 | undefined {
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false })
  if (parsed === undefined) return undefined
  const number = parsed.number as string as E164
  return parsed.isValid() || areaCodeOf(number) !== undefined ? number : undefined
}

/** Like `toE164`, but accepts every number with a valid format, assigned or not. */
export function toDialable(text: string): E164 | undefined {
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false })
  return parsed?.isPossible() === true ? (parsed.number as string as E164) : toE164(text)
}

/** The area code of a US number; undefined for all others. */
export function areaCodeOf(number: E164): string | undefined {
  const [, code] = northAmerican.exec(number) ?? []
  return code !== undefined && Object.hasOwn(usAreaCodes, code) ? code : undefined
}

/** The two-letter state of an area code. */
export const stateOfAreaCode = (code: string): string | undefined =>
  Object.hasOwn(usAreaCodes, code) ? usAreaCodes[code]?.state : undefined
