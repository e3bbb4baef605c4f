import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max'

const callingCodes = new Set<string>(getCountries().map((country) => getCountryCallingCode(country)))
const stars = '******'

/**
 * `+13125550123` → `+1******0123`: the country's calling code where the number has one, and the last four digits
 * where enough stay hidden before them. The number of stars says nothing of the number's length.
 */
export function maskPhone(phone: string): string {
  const digits = phone.replaceAll(/\D+/g, '')
  const code = phone.trimStart().startsWith('+') ? callingCode(digits) : ''
  const rest = digits.slice(code.length)
  return (code === '' ? '' : `+${code}`) + stars + (rest.length >= 7 ? rest.slice(-4) : '')
}

/** Calling codes are prefix-free, so the first that fits is the one. */
function callingCode(digits: string): string {
  for (let length = 1; length <= 3; length++) {
    if (callingCodes.has(digits.slice(0, length))) return digits.slice(0, length)
  }
  return ''
}

/** `jane@example.com` → `j***@example.com`. */
export function maskEmail(email: string): string {
  const [first = ''] = email
  return `${first === '@' ? '' : first}***${email.slice(email.lastIndexOf('@'))}`
}

/** Seven digits or more, with what people write between them. */
const numberInText = /\+?\(?\d(?:[\s().\-/_·–—]*\d){6,}/g

/** What looks like an e-mail address. Looked for at the beginnings of words alone: from every letter of a long one it would take minutes. */
const emailInText = /(?<![^\s@<>()[\],;:"])[^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+\.[^\s@<>()[\],;:"]+/g

/** Free text with the phone numbers and e-mail addresses that somebody wrote into it masked. */
export const maskText = (text: string): string =>
  text.replaceAll(emailInText, maskEmail).replaceAll(numberInText, maskPhone)
