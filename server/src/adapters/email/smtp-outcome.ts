import type { NodemailerError } from 'nodemailer'
import type { FailureCode, SendOutcome } from '../../modules/messages/ports.ts'
import { sendLater, unavailable, unknown } from '../replies.ts'

/** How often an account is tried again that the server does not let in: the operator must do something. */
const pauseOfAccountMs = 10 * 60_000

/** The account cannot be used as it is set up. Its messages wait. */
export const accountFails = (message: string, carrierCode: string | null = null): SendOutcome =>
  sendLater({ code: 'credentials_rejected', carrierCode, message }, pauseOfAccountMs)

/**
 * What a failure means. A reply of the server to the sender, the recipient or the content is clear: 5xx is final, 4xx is not.
 * Without a reply it is unknown whether the server took the mail, once all of it may have been sent.
 */
export function outcomeOfFailure(error: NodemailerError, contentSent: boolean): SendOutcome {
  const { code = '', responseCode, response = '', message } = error
  const isOfTheMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  // Nothing was asked of the server: the mail is larger than it takes, or an address is none that SMTP can name.
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

/** By the enhanced status code (RFC 3463): 5.1 is about addresses, of which 5.1.7 and 5.1.8 are about ours. */
const codeOf = (status: string): FailureCode =>
  /^5\.1\.(?![78]$)/.test(status) ? 'recipient_invalid' : 'rejected'

/** What a server says, without the addresses that it quotes. */
export const withoutAddresses = (text: string): string =>
  text
    .replaceAll(/[^\s<>()[\]:;,"]+@[^\s<>()[\]:;,"]+/g, '(address)')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300)
