import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max'

const callingCodes = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)))
const stars = '******'
const isMask = /^(\+\d{1,3})?\*{6}(\d{4})?$/

/**
 * `+13125550123` → `+1******0123`. Keeps the calling code, if the number has one, and the last four digits, if enough
 * digits before them stay hidden. Accepts numbers as people write them. The number of stars does not depend on the
 * number's length. A mask stays unchanged.
 */
export function maskPhone(phone: string): string {
  if (isMask.test(phone)) return phone
  const digits = phone.replaceAll(/\D+/g, '')
  const code = phone.trimStart().startsWith('+') ? callingCode(digits) : ''
  const rest = digits.slice(code.length)
  return (code === '' ? '' : `+${code}`) + stars + (rest.length >= 7 ? rest.slice(-4) : '')
}

/** No calling code is a prefix of another, so the first match is the only one. */
function callingCode(digits: string): string {
  for (let length = 1; length <= 3; length++) {
    if (callingCodes.has(digits.slice(0, length))) return digits.slice(0, length)
  }
  return ''
}
