import { createHmac } from 'node:crypto'

/** What is signed and sent. */
export interface Signed {
  event: string
  /** The id of the delivery. */
  id: string
  eventId: string
  /** The text that is sent, byte for byte in UTF-8. */
  body: string
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)

/** Standard Webhooks uses the decoded bytes of the secret as the key; `X-Webhook-Signature` uses its characters. */
const keyBytes = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64')

/**
 * Returns the headers of a delivery: the X-Webhook headers, and those of Standard Webhooks, whose signature also covers
 * the time. `secrets` holds the current secret, then the previous one while it is valid.
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
