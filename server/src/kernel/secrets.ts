import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Keys derived from the application's secrets: the first signs and seals, all verify and open, so that a secret can be replaced. */
export interface KeyRing {
  sign(purpose: string, text: string): Buffer
  verifies(purpose: string, text: string, signature: Buffer): boolean
  /** Encrypts what must be read again. `context` names the place it is stored in; elsewhere it cannot be opened. */
  seal(purpose: string, text: string, context: string): Buffer
  /** What was sealed. Throws when no secret of the ring opens it, or when it was moved or altered. */
  open(purpose: string, sealed: Buffer, context: string): string
  /** What sealed texts of this purpose begin with when the newest secret sealed them. */
  sealMark(purpose: string): Buffer
}

const algorithm = 'aes-256-gcm'
const format = 1
const markBytes = 5
const nonceBytes = 12
const tagBytes = 16

/** `secrets`: newest first. Each purpose has a key of its own. Without any, signing and sealing throw. */
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
    seal: (purpose, text, context) => seal(newest(purpose), text, context),
    open(purpose, sealed, context) {
      const mark = sealed.subarray(0, markBytes)
      const key = keysFor(purpose).find((one) => markOf(one).equals(mark))
      if (key === undefined) throw new Error('No secret of the key ring opens this.')
      return open(key, sealed, context)
    },
    sealMark: (purpose) => markOf(newest(purpose)),
  }
}

const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Format and key in five bytes: tells which secret opens a sealed text, and nothing of the secret. */
const markOf = (key: Buffer) =>
  Buffer.concat([Buffer.from([format]), mac(key, 'mark').subarray(0, markBytes - 1)])

function seal(key: Buffer, text: string, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
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
