import type { Failure, FailureCode } from '../../modules/messages/ports.ts'
import { withoutNumbers } from '../replies.ts'

/** Twilio's error codes that mean more than a plain rejection. https://www.twilio.com/docs/api/errors */
const codes: Readonly<Record<string, FailureCode>> = {
  '20003': 'credentials_rejected',
  '21211': 'recipient_invalid',
  '21610': 'recipient_opted_out',
  '21614': 'recipient_invalid',
  '30003': 'recipient_unreachable',
  '30005': 'recipient_invalid',
  '30006': 'recipient_invalid',
  '30007': 'filtered',
  '30008': 'recipient_unreachable',
  '30032': 'sender_not_registered',
  '30034': 'sender_not_registered',
}

/** The failure for a Twilio error code. */
export const failureOf = (code: string, message = `Twilio error ${code}`): Failure => ({
  code: codes[code] ?? 'rejected',
  carrierCode: code,
  message: withoutNumbers(message),
})

/** Too many requests, and queue overflow: the same message may be sent later. */
const paceCodes = new Set(['20429', '30001'])

export const isPace = (status: number, code: string): boolean => status === 429 || paceCodes.has(code)
