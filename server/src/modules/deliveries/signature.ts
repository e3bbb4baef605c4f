import { createHmac } from 'node:crypto'

export interface Signed {
  event: string
  /** Id of the delivery. */
  id: string
  eventId: string
  /** The raw bytes that are sent. */
  body: string
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)

/** Standard Webhooks keys by the bytes behind the prefix, the contract by the characters as they were returned. */
const keyBytes = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64')

/**
 * The headers of a delivery: the contract's, and those of Standard Webhooks, whose signature covers the time as well.
 * `secrets`: the present one, and the one before it while that still holds.
 */
export function deliveryHeaders(
  { event, id, eventId, body }: Signed,
  secrets: readonly [string, ...string[]],
  at: Date,
): Record<string, string> {
  const [present, previous] = secrets
  const seconds = String(Math.floor(at.getTime() / 1000))
  const contract = (secret: string) => `sha256=${hmac(secret, body).digest('hex')}`
  const standard = (secret: string) =>
    `v1,${hmac(keyBytes(secret), `${eventId}.${seconds}.${body}`).digest('base64')}`
  return {
    'content-type': 'application/json',
    'user-agent': 'Gable-Webhooks/1',
    'x-webhook-event': event,
    'x-webhook-delivery': id,
    'x-webhook-signature': contract(present),
    ...(previous === undefined ? {} : { 'x-webhook-signature-previous': contract(previous) }),
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map(standard).join(' '),
  }
}
