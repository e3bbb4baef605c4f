import { toE164, toEmailAddress } from '../contacts/public.ts'
import type { SenderKind } from './registration.ts'

const forms: Readonly<Record<SenderKind, { pattern: RegExp; message: string }>> = {
  '10dlc': {
    pattern: /^\+1(?!8(?:00|33|44|55|66|77|88))[2-9]\d{9}$/,
    message: 'must be a US or Canadian number that is not toll-free',
  },
  tollfree: {
    pattern: /^\+18(?:00|33|44|55|66|77|88)\d{7}$/,
    message: 'must be a toll-free number: +1 and 800, 833, 844, 855, 866, 877, or 888',
  },
  shortcode: { pattern: /^[1-9]\d{4,5}$/, message: 'must have five or six digits' },
  whatsapp: { pattern: /^\+/, message: 'must be a phone number' },
  email: { pattern: /@/, message: 'must be a valid email' },
}

/**
 * Normalizes an address: a phone number to E.164, an email address to lower case (to `''` if it is invalid). Anything
 * else is only trimmed.
 */
export const normalAddress = (text: string): string =>
  text.includes('@') ? (toEmailAddress(text) ?? '') : (toE164(text) ?? text.trim())

/** Why a normalized address is not valid for a sender of this kind; undefined if it is valid. */
export function addressIssue(kind: SenderKind, address: string): string | undefined {
  const { pattern, message } = forms[kind]
  const exists = pattern.test(address) && (!address.startsWith('+') || toE164(address) === address)
  return exists ? undefined : message
}
