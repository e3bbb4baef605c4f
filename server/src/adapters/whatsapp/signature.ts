import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether one of the app secrets signed these bytes: X-Hub-Signature-256, `sha256=` and HMAC-SHA256 in hexadecimal. */
export const isSignedByMeta = (appSecrets: readonly string[], signature: string, body: Buffer): boolean =>
  isOneOf(
    appSecrets.map((secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`),
    signature,
  )

/** Whether the text is one of the expected ones, compared in constant time. */
export function isOneOf(expected: readonly string[], text: string): boolean {
  const given = Buffer.from(text)
  return expected
    .map((one) => Buffer.from(one))
    .map((one) => one.length === given.length && timingSafeEqual(one, given))
    .includes(true)
}
