import { randomBytes } from 'node:crypto'
import { hashSecret } from '../../access/public.ts'

/** Crockford's base 32, without ambiguous characters. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Returns 80 random bits in a readable form, such as k7qm-2x9d-40tz-hw8p: too many to brute-force from the hash. */
export const writtenSecret = (): string =>
  [...randomBytes(16)]
    .map((byte, place) => (place > 0 && place % 4 === 0 ? '-' : '') + alphabet.charAt(byte & 31))
    .join('')

/** A set of recovery codes. */
export const newRecoveryCodes = (): string[] => Array.from({ length: 10 }, writtenSecret)

/** The hash that is stored for a recovery code. Ignores case and separators, and reads `o` as `0`, and `i` and `l` as `1`. */
export const hashRecoveryCode = (typed: string): Buffer =>
  hashSecret(
    typed
      .toLowerCase()
      .replaceAll('o', '0')
      .replaceAll(/[il]/g, '1')
      .replaceAll(/[^0-9a-z]/g, ''),
  )
