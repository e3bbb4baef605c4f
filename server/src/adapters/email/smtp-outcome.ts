import type { NodemailerError } from 'nodemailer'
import { AddressRejected } from '#kernel/egress/locate.ts'
import type { FailureCode, SendOutcome } from '../../modules/messages/ports.ts'
import { sendLater, unavailable, unknown } from '../replies.ts'

/** The delay before retrying an account that the server rejects. The operator must fix the account. */
const pauseOfAccountMs = 10 * 60_000

/** The account can't be used as configured, so its messages wait. */
export const accountFails = (message: string, carrierCode: string | null = null): SendOutcome =>
  sendLater({ code: 'credentials_rejected', carrierCode, message }, pauseOfAccountMs)

/**
 * Interprets a failure. A reply about the sender, recipient, or content is clear: 5xx is final, 4xx is temporary.
 * Without a reply, the outcome is unknown once the whole mail may have been sent.
 */
export function outcomeOfFailure(error: NodemailerError, contentSent: boolean): SendOutcome {
  const { code = '', responseCode, response = '', message } = error
  if (error instanceof AddressRejected)
    return accountFails(`The mail server of the connection cannot be used: ${message}.`)
  const isOfTheMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  // Nodemailer rejected the mail without asking the server: it is too large, or an address can't be used in SMTP.
  if (responseCode === undefined && isOfTheMail) return rejected('rejected', null, withoutAddresses(message))
  if (responseCode === undefined)
    return contentSent
      ? unknown(withoutAddresses(message))
      : sendLater(unavailable(withoutAddresses(message)))
  const [status = String(responseCode)] = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response) ?? []
  const words = withoutAddresses(response)
  if (code === 'EAUTH' || responseCode === 530) return accountFails(words, status)
  if (!isOfTheMail || responseCode < 500) return sendLater(unavailable(words, status))
  return rejected(codeOf(status), status, words)
}

const rejected = (code: FailureCode, carrierCode: string | null, message: string): SendOutcome => ({
  kind: 'rejected',
  failure: { code, carrierCode, message },
})

/** By enhanced status code (RFC 3463): 5.1 is about addresses, where 5.1.7 and 5.1.8 concern the sender's. */
const codeOf = (status: string): FailureCode =>
  /^5\.1\.(?![78]$)/.test(status) ? 'recipient_invalid' : 'rejected'

/** A server's message, shortened, with email addresses removed. */
export const withoutAddresses = (text: string): string =>
  text
    .replaceAll(/[^\s<>()[\]:;,"]+/g, (word) => (word.slice(1, -1).includes('@') ? '(address)' : word))
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300)
