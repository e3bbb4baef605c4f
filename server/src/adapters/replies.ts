import type { Reply } from '#kernel/egress/egress.ts'
import type { Failure, SendOutcome } from '../modules/messages/ports.ts'

/** What adapters make of the replies of providers. */

/** The JSON object of a response; empty if it is not one. */
export function objectOf({ body }: Pick<Reply, 'body'>): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

/** The objects of a list; none if it is no list. */
export const objectsIn = (list: unknown): Record<string, unknown>[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : []

/** A reply that is not what was asked for, without what it says, which may quote credentials. */
export const unexpected = (what: string, { status, failure }: Reply): Error =>
  new Error(`${what}: ${failure ?? `status ${status}`}`)

export const sendLater = (failure: Failure, afterMs: number | null = null): SendOutcome => ({
  kind: 'later',
  failure,
  retryAfterMs: afterMs,
})

export const unknown = (message: string): SendOutcome => ({ kind: 'unknown', message })

export const unavailable = (message: string, code = ''): Failure => ({
  code: 'provider_unavailable',
  carrierCode: code === '' ? null : code,
  message,
})

/** How long a response asks to wait; null if it does not say. */
export const retryAfterMs = ({ headers }: Pick<Reply, 'headers'>): number | null => {
  const header = headers['retry-after']
  return typeof header === 'string' && /^\d{1,5}$/.test(header) ? Number(header) * 1000 : null
}

/** What a provider says of a failure. The numbers that it quotes are left out. */
export const withoutNumbers = (text: string): string =>
  text.replaceAll(/\+?\d[\d\s().-]{5,}\d/g, '(number)').slice(0, 300)

/** What a reply to a test of the credentials says. */
export function testOutcome({ status }: Reply): 'accepted' | 'rejected' | 'unknown_account' | 'unreachable' {
  if (status === 200) return 'accepted'
  if (status === 401 || status === 403) return 'rejected'
  return status === 404 || status === 422 ? 'unknown_account' : 'unreachable'
}
