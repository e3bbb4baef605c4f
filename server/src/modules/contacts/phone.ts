import { readFileSync } from 'node:fs'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** Area codes of the United States and its territories with their states, as their administrator published them. */
const { codes } = JSON.parse(readFileSync(new URL('area-codes.json', import.meta.url), 'utf8')) as {
  codes: Record<string, { state: string }>
}

const northAmerican = /^\+1([2-9]\d\d)[2-9]\d{6}$/

/**
 * The number in E.164, an extension left out; undefined for what cannot be a phone number. Without a country code it is
 * taken for one of the United States. Area codes in service that the library does not know are taken too.
 */
export function toE164(text: string): string | undefined {
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false })
  if (parsed === undefined) return undefined
  return parsed.isValid() || areaCodeOf(parsed.number) !== undefined ? parsed.number : undefined
}

/** The area code of a number in E.164, if it is one of the United States. */
export function areaCodeOf(number: string): string | undefined {
  const [, code] = northAmerican.exec(number) ?? []
  return code !== undefined && Object.hasOwn(codes, code) ? code : undefined
}

/** Two letters. */
export const stateOfAreaCode = (code: string): string | undefined =>
  Object.hasOwn(codes, code) ? codes[code]?.state : undefined
