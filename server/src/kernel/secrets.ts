import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Keys derived from the application's secrets: the first signs, all verify, so that a secret can be replaced. */
export interface KeyRing {
  sign(purpose: string, text: string): Buffer
  verifies(purpose: string, text: string, signature: Buffer): boolean
}

/** `secrets`: newest first, at least one. Each purpose has a key of its own. */
export function keyRing(secrets: readonly string[]): KeyRing {
  const keys = new Map<string, Buffer[]>()
  const keysFor = (purpose: string) => {
    const made =
      keys.get(purpose) ?? secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)))
    keys.set(purpose, made)
    return made
  }
  const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  return {
    sign(purpose, text) {
      const [newest] = keysFor(purpose)
      if (newest === undefined) throw new Error('The key ring is empty.')
      return mac(newest, text)
    },
    verifies: (purpose, text, signature) =>
      keysFor(purpose).some((key) => signature.length === 32 && timingSafeEqual(mac(key, text), signature)),
  }
}
