import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Unavailable, ValidationFailed } from '#kernel/errors.ts'
import { controlIssue } from '#kernel/http/text.ts'
import { commonPasswords } from './common-passwords.ts'

const derive = promisify(argon2)

/** Argon2id with 19 MiB and two passes, as in OWASP's Password Storage Cheat Sheet. Tests lower the cost. */
export const passwordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const header = ({ memory, passes, parallelism } = passwordCost) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`
const tagLength = 32

const minLength = 10
const maxLength = 256

/** The rule, as shown to people. */
export const passwordHint = `At least ${minLength} characters. Several words work well.`

/**
 * Throws `ValidationFailed` unless the password is allowed: 10 to 256 characters, not a common one, and not the
 * person's address. No digits or symbols are required (NIST SP 800-63B, 3.1.1.2).
 */
export function requirePassword(password: string, email: string): void {
  const issue = passwordIssue(password, email)
  if (issue !== undefined) throw ValidationFailed([{ path: 'password', message: issue }])
}

function passwordIssue(password: string, email: string): string | undefined {
  const length = [...password].length
  if (length < minLength) return `must have at least ${minLength} characters`
  if (length > maxLength) return `must have at most ${maxLength} characters`
  const unclean = controlIssue(password)
  if (unclean !== undefined) return unclean
  const plain = password.toLowerCase()
  if (plain === email.toLowerCase()) return 'must not be your email address'
  if (new Set(plain).size < 4 || commonPasswords.has(plain)) return 'is too common'
  return undefined
}

/** Normalized, because keyboards compose the same text differently. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'))

/** Returns the hash in the PHC string format, with a random salt. Throws `Unavailable` if too many hashes are waiting. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await inTurn(() =>
    derive('argon2id', { message: bytesOf(password), nonce, tagLength, ...passwordCost }),
  )
  return `${header()}${base64(nonce)}$${base64(tag)}`
}

/** A hash that no password matches. Comparing a password with it takes as long as with a real hash. */
const dummyHash = () => `${header()}${dummy}`
const dummy = `${base64(randomBytes(16))}$${base64(randomBytes(tagLength))}`

const stored = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/**
 * Whether the password matches the hash. A null hash takes the same time and returns false. Throws `Unavailable` if too
 * many hashes are waiting.
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = stored.exec(hash ?? dummyHash()) ?? []
  const expected = Buffer.from(tag, 'base64')
  const given = await inTurn(() =>
    derive('argon2id', {
      message: bytesOf(password.slice(0, 4 * maxLength)),
      nonce: Buffer.from(salt, 'base64'),
      tagLength: expected.length,
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    }),
  )
  return timingSafeEqual(given, expected) && hash !== null
}

/** Whether the hash was made at a different cost than new hashes. */
export const isDated = (hash: string): boolean => !hash.startsWith(header())

/** The PHC string format omits the padding. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Concurrent hashes. Each takes 19 MiB and a thread of the pool that file and DNS operations share. */
const atOnce = 2
/** The most hashes that may wait; more are rejected. */
const maxWaiting = 100

let running = 0
const waiting: (() => void)[] = []

/** Runs the work when a slot is free. Throws `Unavailable` if too many are waiting. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= maxWaiting) throw Unavailable()
    await new Promise<void>((resolve) => void waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}
