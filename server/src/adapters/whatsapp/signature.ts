import { createHmac } from 'node:crypto'
import { isOneOf } from '../compare.ts'

/** Whether one of the app secrets signed these bytes: X-Hub-Signature-256 is `sha256=` and an HMAC-SHA256 in hex. */
export const isSignedByMeta = (appSecrets: readonly string[], signature: string, body: Buffer): boolean =>
  isOneOf(
    appSecrets.map((secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`),
    signature,
  )
