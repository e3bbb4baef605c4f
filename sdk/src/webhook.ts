import { GableError } from './error.js'
import type { WebhookEvent } from './resources.js'

/** Of a Fetch `Request`, or of Node.js. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** How many seconds the time of a delivery may be off. 300 by default. */
  tolerance?: number
}

/**
 * Verifies a delivery, and returns its event. `rawBody`: as it was received, before it is parsed. With several secrets,
 * one must match, so that a secret can be rotated. The headers of Standard Webhooks also prove when it was sent; without
 * them, `X-Webhook-Signature` and `X-Webhook-Signature-Previous` count. Throws `GableError` with the code
 * `invalid_signature` or `webhook_expired`.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { tolerance = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = typeof rawBody === 'string' ? bytesOf(rawBody) : new Uint8Array(rawBody)
  const header = (name: string) => headerOf(headers, name)
  const at = header('webhook-timestamp')
  const isStandard = header('webhook-signature') !== ''
  const signatures = isStandard
    ? header('webhook-signature')
        .split(' ')
        .filter((one) => one.startsWith('v1,'))
        .map((one) => fromBase64(one.slice(3)))
    : ['', '-previous'].map((end) => fromHex(header(`x-webhook-signature${end}`)))
  const signed = isStandard ? joined(bytesOf(`${header('webhook-id')}.${at}.`), body) : body
  let isGenuine = false
  for (const secret of [secrets].flat() as string[]) {
    const key = isStandard ? fromBase64(secret.replace('whsec_', '')) : bytesOf(secret)
    for (const signature of signatures) isGenuine = (await matches(key, signature, signed)) || isGenuine
  }
  if (!isGenuine) throw new GableError('invalid_signature', 'No signature of the delivery matches a secret.')
  if (isStandard && !(Math.abs(Date.now() / 1000 - Number(at)) <= tolerance))
    throw new GableError('webhook_expired', 'The delivery is too old, or a clock is wrong.')
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent
}

/** In constant time. */
async function matches(key: Bytes, signature: Bytes, data: Bytes): Promise<boolean> {
  if (key.length === 0) return false
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', imported, signature, data)
}

type Bytes = Uint8Array<ArrayBuffer>

const bytesOf = (text: string): Bytes => new TextEncoder().encode(text)

function joined(one: Uint8Array, other: Uint8Array): Bytes {
  const all = new Uint8Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}

/** Empty if the text is not hex after `sha256=`. */
const fromHex = (text: string): Bytes =>
  Uint8Array.from(/^sha256=((?:[\da-f]{2})*)$/.exec(text)?.[1]?.match(/../g) ?? [], (pair) =>
    Number.parseInt(pair, 16),
  )

/** Empty if the text is not Base64. */
function fromBase64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0)
  } catch {
    return new Uint8Array()
  }
}

const headerOf = (headers: WebhookHeaders, name: string): string =>
  String(
    (headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]) ?? '',
  )
