import { createHmac, timingSafeEqual } from 'node:crypto'

/** How far a signature's time may be from now, in either direction. */
const validMs = 5 * 60_000

/** Whether one of the keys signed the body: `v=<ms>,d=<hex>`, an HMAC-SHA256 over the body and the time. */
export function isSignedByRetell(
  keys: readonly string[],
  signature: string,
  body: Buffer,
  now: Date,
): boolean {
  const [, at = '', digest = ''] = /^v=(\d{1,16}),d=([0-9a-f]{64})$/i.exec(signature) ?? []
  if (digest === '' || Math.abs(now.getTime() - Number(at)) > validMs) return false
  const given = Buffer.from(digest, 'hex')
  return keys
    .map((key) => createHmac('sha256', key).update(body).update(at).digest())
    .map((expected) => timingSafeEqual(expected, given))
    .includes(true)
}
