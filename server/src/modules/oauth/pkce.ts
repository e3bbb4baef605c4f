import { hash } from 'node:crypto'

/** 43 to 128 unreserved characters (RFC 7636, 4.1). */
export const isVerifier = (text: string) => /^[A-Za-z0-9\-._~]{43,128}$/.test(text)

/** The SHA-256 of something in base64url. */
export const isChallenge = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text)

/** Whether the challenge was made of this verifier by S256. The challenge is no secret. */
export const proves = (verifier: string, challenge: string) =>
  hash('sha256', verifier, 'base64url') === challenge
