import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/**
 * Keys derived from the application's secrets. The newest secret signs and encrypts; all of them verify and decrypt,
 * so that secrets can be rotated.
 */
export interface KeyRing {
  sign(purpose: string, text: string): Buffer
  verifies(purpose: string, text: string, signature: Buffer): boolean
  /** The signatures with all secrets, the newest first: to look up what an earlier secret signed. */
  signatures(purpose: string, text: string): Buffer[]
  /** A 64-bit signature in 13 digits and lowercase letters, for places that are short and do not preserve case. */
  signShort(purpose: string, text: string): string
  verifiesShort(purpose: string, text: string, signature: string): boolean
  /** Encrypts a text. `context` identifies where the text is stored; decryption fails with any other context. */
  seal(purpose: string, text: string, context: string): Buffer
  /**
   * Encrypts deterministically: the same text gives the same result. So anyone who sees two results learns whether
   * their texts are equal.
   */
  sealSame(purpose: string, text: string, context: string): Buffer
  /** Decrypts a text. Throws if none of the ring's secrets can decrypt it, or if the text was moved or changed. */
  open(purpose: string, sealed: Buffer, context: string): string
  /** The first bytes of texts that were encrypted for this purpose with the newest secret. */
  sealMark(purpose: string): Buffer
}

const algorithm = 'aes-256-gcm'
const format = 1
const markBytes = 5
const nonceBytes = 12
const tagBytes = 16

/** `secrets`: newest first. Each purpose has its own key. Without secrets, `sign` and `seal` throw. */
export function keyRing(secrets: readonly string[]): KeyRing {
  const derived = new Map<string, Buffer[]>()
  const keysFor = (purpose: string) => {
    const keys =
      derived.get(purpose) ??
      secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)))
    derived.set(purpose, keys)
    return keys
  }
  const newest = (purpose: string) => {
    const [key] = keysFor(purpose)
    if (key === undefined) throw new Error('The key ring is empty.')
    return key
  }
  return {
    sign: (purpose, text) => mac(newest(purpose), text),
    verifies: (purpose, text, signature) =>
      keysFor(purpose).some((key) => signature.length === 32 && timingSafeEqual(mac(key, text), signature)),
    signatures: (purpose, text) => keysFor(purpose).map((key) => mac(key, text)),
    signShort: (purpose, text) => shortened(mac(newest(purpose), text)),
    verifiesShort: (purpose, text, signature) =>
      keysFor(purpose).some(
        (key) => signature.length === shortDigits && isSame(shortened(mac(key, text)), signature),
      ),
    seal: (purpose, text, context) => seal(newest(purpose), text, context),
    sealSame: (purpose, text, context) => sealSame(newest(purpose), text, context),
    open(purpose, sealed, context) {
      const mark = sealed.subarray(0, markBytes)
      const key = keysFor(purpose).find((one) => markOf(one).equals(mark))
      if (key === undefined) throw new Error('No secret of the key ring decrypts this.')
      return open(key, sealed, context)
    },
    sealMark: (purpose) => markOf(newest(purpose)),
  }
}

const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const shortDigits = 13

const shortened = (signature: Buffer) => signature.readBigUInt64BE(0).toString(36).padStart(shortDigits, '0')

const isSame = (one: string, other: string) => {
  const [known, given] = [Buffer.from(one), Buffer.from(other)]
  return known.length === given.length && timingSafeEqual(known, given)
}

/** Five bytes for the format and the key. They identify the secret and reveal nothing about it. */
const markOf = (key: Buffer) =>
  Buffer.concat([Buffer.from([format]), mac(key, 'mark').subarray(0, markBytes - 1)])

/** Derives the nonce from the text and its context, with a separate key, so that no two texts share a nonce. */
function sealSame(key: Buffer, text: string, context: string): Buffer {
  const nonceKey = Buffer.from(hkdfSync('sha256', key, '', 'nonce', 32))
  const nonce = mac(nonceKey, `${context.length} ${context}${text}`).subarray(0, nonceBytes)
  return seal(key, text, context, nonce)
}

function seal(key: Buffer, text: string, context: string, nonce = randomBytes(nonceBytes)): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context))
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([markOf(key), nonce, cipher.getAuthTag(), hidden])
}

function open(key: Buffer, sealed: Buffer, context: string): string {
  const nonceAt = markBytes
  const tagAt = nonceAt + nonceBytes
  const hiddenAt = tagAt + tagBytes
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(nonceAt, tagAt))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(tagAt, hiddenAt))
  return Buffer.concat([decipher.update(sealed.subarray(hiddenAt)), decipher.final()]).toString('utf8')
}
