import type { Reply, StreamedReply } from '#kernel/egress/egress.ts'
import type { Failure, SendOutcome } from '../modules/messages/ports.ts'

/** Shared helpers for provider responses. */

/** The response's JSON object, or `{}` if it isn't one. */
export function objectOf({ body }: { body: Uint8Array }): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

/**
 * Whether the provider says that it has no such thing. The 404 of a proxy before it says nothing: an erasure would believe that
 * nothing is left.
 */
export const saysGone = (reply: Pick<Reply, 'status' | 'body'>): boolean =>
  reply.status === 404 && Object.keys(objectOf(reply)).length > 0

/** What is read of a response without content: an error is short. */
const short = { bytes: 65_536, ms: 10_000 }

/** Reads the text of such a response to its end, or stops. */
export async function beginningOf({ body }: Pick<StreamedReply, 'body'>): Promise<string> {
  const until = performance.now() + short.ms
  let text = ''
  for await (const chunk of body) {
    text += String(chunk)
    if (text.length > short.bytes || performance.now() > until) break
  }
  return text
}

/** The objects in a list, or none if it isn't a list. */
export const objectsIn = (list: unknown): Record<string, unknown>[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : []

/** An error for an unexpected response, with its status. Omits the body, which may quote credentials. */
export const unexpected = (what: string, { status, failure }: Pick<Reply, 'status' | 'failure'>): Error =>
  Object.assign(new Error(`${what}: ${failure ?? `status ${status}`}`), { status })

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

/** The `Retry-After` delay in milliseconds, or null if there is none in seconds. */
export const retryAfterMs = ({ headers }: Pick<Reply, 'headers'>): number | null => {
  const header = headers['retry-after']
  return typeof header === 'string' && /^\d{1,5}$/.test(header) ? Number(header) * 1000 : null
}

/** A provider's failure message, shortened, with phone numbers removed. */
export const withoutNumbers = (text: string): string =>
  text.replaceAll(/\+?\d[\d\s().-]{5,}\d/g, '(number)').slice(0, 300)

/** The result of testing credentials, by the response status. */
export function testOutcome({ status }: Reply): 'accepted' | 'rejected' | 'unknown_account' | 'unreachable' {
  if (status === 200) return 'accepted'
  if (status === 401 || status === 403) return 'rejected'
  return status === 404 || status === 422 ? 'unknown_account' : 'unreachable'
}
