import type { Failure, FailureCode } from '../../modules/messages/ports.ts'
import { withoutNumbers } from '../replies.ts'

/**
 * Meta's error codes that mean more than a plain rejection.
 * https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes
 */
const codes: Readonly<Record<string, FailureCode>> = {
  // Server errors, and errors that may be.
  1: 'provider_unavailable',
  2: 'provider_unavailable',
  131000: 'provider_unavailable',
  131016: 'provider_unavailable',
  131057: 'provider_unavailable',
  133004: 'provider_unavailable',
  // Rate limits: for the app, the account, the number, or the recipient.
  4: 'provider_unavailable',
  80007: 'provider_unavailable',
  130429: 'provider_unavailable',
  131056: 'provider_unavailable',
  0: 'credentials_rejected',
  3: 'credentials_rejected',
  10: 'credentials_rejected',
  190: 'credentials_rejected',
  131005: 'credentials_rejected',
  131021: 'recipient_invalid',
  // Not on WhatsApp, terms not accepted, or an outdated app: Meta doesn't distinguish these.
  131026: 'recipient_unreachable',
  131050: 'recipient_opted_out',
  130472: 'filtered',
  131048: 'filtered',
  131049: 'filtered',
  131047: 'window_closed',
  33: 'sender_not_registered',
  368: 'sender_not_registered',
  131031: 'sender_not_registered',
  131037: 'sender_not_registered',
  131045: 'sender_not_registered',
  133010: 'sender_not_registered',
}

/** Code ranges: permissions, and templates. */
const ranges: readonly [RegExp, FailureCode][] = [
  [/^2\d\d$/, 'credentials_rejected'],
  [/^132\d{3}$/, 'template_rejected'],
]

/** Gable's failure code for Meta's, or undefined if Meta's means only that it failed. */
export const meaningOf = (code: string): FailureCode | undefined =>
  codes[code] ?? ranges.find(([pattern]) => pattern.test(code))?.[1]

/** The failure for Meta's code and title. Omits the details, which quote what was sent. */
export const metaFailureOf = (code: string, title?: unknown): Failure => ({
  code: meaningOf(code) ?? 'rejected',
  carrierCode: code === '' ? null : code,
  message: withoutNumbers(typeof title === 'string' && title !== '' ? title : `Meta error ${code}`.trim()),
})

/** The same message may be sent later. */
const paceCodes = new Set(['4', '80007', '130429', '131056'])

export const isMetaPace = (status: number, code: string): boolean => status === 429 || paceCodes.has(code)
