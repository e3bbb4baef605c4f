import type { Reply } from '#kernel/egress/egress.ts'
import type { OutgoingMessage, ProviderAccount, SendOutcome } from '../../modules/messages/ports.ts'
import { objectOf, retryAfterMs, sendLater, unavailable, unknown } from '../replies.ts'
import { failureOf, isPace } from './failures.ts'

/** How long Twilio queues a message by default, in seconds. This is also the maximum. */
const maxValidity = 36_000

/** Twilio advises against shorter periods. */
const minValidity = 5

/** How many seconds Twilio may queue the message. Undefined if too little time is left to send it. */
export function validityOf(validUntil: number, now: Date): number | undefined {
  const left = Math.floor((validUntil - now.getTime()) / 1000)
  return left < minValidity ? undefined : Math.min(left, maxValidity)
}

/**
 * The callback URL. Its fragment makes Twilio retry a callback up to 5 times within 15 s after any failure. The
 * fragment is not part of the request or the signature.
 */
export const callbackUrl = (origin: string, { id }: ProviderAccount, path: string): string =>
  `${origin}/callbacks/twilio/${id}/${path}#rc=5&rp=all`

export const formOf = (
  { attemptId, from, to, body, media = [] }: OutgoingMessage,
  account: ProviderAccount,
  origin: string,
  validity: number,
): [name: string, value: string][] => [
  ['From', from],
  ['To', to],
  ['Body', body ?? ''],
  ['StatusCallback', callbackUrl(origin, account, `status/${attemptId}`)],
  ['ValidityPeriod', String(validity)],
  ...media.map(({ url }): [string, string] => ['MediaUrl', url]),
]

/**
 * Interprets the response. Twilio has no idempotency keys: once any byte may have been sent, anything but a clear
 * response leaves it unknown whether Twilio took the message.
 */
export function outcomeOf(reply: Reply): SendOutcome {
  const { status, sent, failure } = reply
  if (!sent) return sendLater(unavailable(failure ?? 'no connection'))
  if (status === null) return unknown(failure ?? 'no response')
  const { sid, code, message } = objectOf(reply)
  if (status >= 200 && status < 300 && typeof sid === 'string' && /^(?:SM|MM|CA)[0-9a-f]{32}$/.test(sid))
    return { kind: 'taken', providerMessageId: sid }
  const text = typeof code === 'number' ? String(code) : ''
  if (isPace(status, text))
    return sendLater(unavailable('Twilio asks for a slower pace', text), retryAfterMs(reply))
  const fault = failureOf(text, typeof message === 'string' ? message : undefined)
  // The message itself is fine: it waits for working credentials.
  const isDenied = (status === 401 || status === 403) && fault.code === 'rejected'
  if (fault.code === 'credentials_rejected' || isDenied)
    return sendLater({ ...fault, code: 'credentials_rejected', carrierCode: text === '' ? null : text })
  if (status >= 400 && status < 500 && text !== '') return { kind: 'rejected', failure: fault }
  return unknown(`status ${status}`)
}
