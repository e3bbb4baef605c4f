import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bodyLength = 43
const checksumLength = 6

/**
 * The prefix shows people, secret scanners and the server what kind of secret this is. In this order: API key, access
 * token, refresh token, authorization code, client secret, session, sign-in step, link in an email, calendar feed
 * address.
 */
type SecretPrefix =
  | 'gbl_key_'
  | 'gbl_at_'
  | 'gbl_rt_'
  | 'gbl_ac_'
  | 'gbl_cs_'
  | 'gbl_ss_'
  | 'gbl_st_'
  | 'gbl_ln_'
  | 'gbl_cf_'

/** Creates a secret: the prefix, 256 random bits in base 62, and a CRC-32 of both. Show it once and store only its hash. */
export function newSecret(prefix: SecretPrefix): string {
  const body = prefix + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), bodyLength)
  return body + checksum(body)
}

/** Whether the text has the form of a secret with this prefix. Check this before a database lookup. */
export function isWellFormed(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix) || text.length !== prefix.length + bodyLength + checksumLength) return false
  return text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength))
}

/** The hash under which a secret is stored. Secrets are random, so a fast hash is enough. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** The beginning of a secret, which may be shown again so that people recognize it. */
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
