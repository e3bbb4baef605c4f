import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bodyLength = 43
const checksumLength = 6

/**
 * Prefixes tell a secret's kind to people, to secret scanners and to us: API key, access token, refresh token, code, client
 * secret; of people's: session, step of a sign-in, link in a mail.
 */
export type SecretPrefix =
  | 'gbl_key_'
  | 'gbl_at_'
  | 'gbl_rt_'
  | 'gbl_ac_'
  | 'gbl_cs_'
  | 'gbl_ss_'
  | 'gbl_st_'
  | 'gbl_ln_'

/** A new secret: prefix, 256 random bits in base 62, CRC-32 of all before it. Shown once, stored as a hash. */
export function newSecret(prefix: SecretPrefix): string {
  const body = prefix + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), bodyLength)
  return body + checksum(body)
}

/** Whether a text can be a secret of this kind. What fails costs no look-up. */
export function isWellFormed(prefix: SecretPrefix, text: string): boolean {
  if (!text.startsWith(prefix) || text.length !== prefix.length + bodyLength + checksumLength) return false
  return text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength))
}

/** What is stored of a secret. It is random, so a plain hash is enough. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** The part of a secret that may be shown again, so that people can tell theirs apart. */
export const visiblePrefix = (secret: string): string => secret.slice(0, 12)

function checksum(text: string): string {
  let digits = ''
  for (let rest = crc32(text); digits.length < checksumLength; rest = Math.floor(rest / 62)) {
    digits = alphabet.charAt(rest % 62) + digits
  }
  return digits
}

function base62(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value; digits.length < length; rest /= 62n)
    digits = alphabet.charAt(Number(rest % 62n)) + digits
  return digits
}
