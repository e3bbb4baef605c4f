import { Secret, TOTP } from 'otpauth'
import type { KeyRing } from '#kernel/secrets.ts'

/** What every authenticator app knows (RFC 6238, with the values that apps take for granted). */
const usual = { algorithm: 'SHA1', digits: 6, period: 30 }

/** How many 30-second steps before and after the current one are accepted, because clocks differ and typing takes time. */
const window = 1

/** A new key for an authenticator app: 160 random bits in base 32. */
export const newTotpKey = (): string => new Secret({ size: 20 }).base32

/** The time step of a code; undefined unless it is the current step or an adjacent one. */
export function timeStepOf(key: string, code: string, at: Date): number | undefined {
  const timestamp = at.getTime()
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(key), window, timestamp, ...usual })
  return delta === null ? undefined : TOTP.counter({ period: usual.period, timestamp }) + delta
}

/** The content of the QR code: the key, and the name under which an app lists it. */
export const appAddress = (key: string, email: string): string =>
  new TOTP({ issuer: 'Gable', label: email, secret: key, ...usual }).toString()

export const totpPurpose = 'authenticator keys'

export const sealTotpKey = (keys: KeyRing, personId: string, key: string): Buffer =>
  keys.seal(totpPurpose, key, personId)

export const openTotpKey = (keys: KeyRing, personId: string, sealed: Buffer): string =>
  keys.open(totpPurpose, sealed, personId)
