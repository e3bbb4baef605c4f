import { createHmac } from 'node:crypto'

/** What is signed and sent. */
export interface Signed {
  event: string
  /** Id of the delivery. */
  id: string
  eventId: string
  /** The raw bytes that are sent. */
  body: string
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)

/** Standard Webhooks uses the decoded bytes as the key; `X-Webhook-Signature` uses the characters of the secret. */
const keyBytes = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64')

/**
 * The headers of a delivery: the X-Webhook ones, and those of Standard Webhooks, whose signature also covers the time.
 * `secrets`: the current one, then the previous one while it is valid.
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
