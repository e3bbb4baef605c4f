import { randomBytes } from 'node:crypto'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import { readCookie, setCookie } from './cookies.ts'

const purpose = 'device'
const keptMs = 365 * 24 * 60 * 60 * 1000

/**
 * A cookie that says: somebody has signed in as this person in this browser before. Its attempts are counted apart, so
 * that whoever tries passwords elsewhere cannot keep the person out (OWASP, "Slow down online guessing attacks with
 * device cookies"). It lets nobody in.
 */
export function deviceCookie(keys: KeyRing, personId: string): string {
  const nonce = randomBytes(16).toString('base64url')
  const signature = keys.sign(purpose, `${personId} ${nonce}`).toString('base64url')
  return setCookie('device', `${nonce}.${signature}`, keptMs)
}

/** The browser's name for itself, if the person has signed in there before. */
export function knownDevice(
  keys: KeyRing,
  request: Pick<PlainRequest, 'headers'>,
  personId: string,
): string | undefined {
  const [nonce = '', signature = ''] = readCookie(request, 'device')?.split('.') ?? []
  const known = keys.verifies(purpose, `${personId} ${nonce}`, Buffer.from(signature, 'base64url'))
  return known ? nonce : undefined
}
