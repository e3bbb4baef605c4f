import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ValidationFailed } from '#kernel/errors.ts'
import { hygieneFault } from '#kernel/http/text.ts'
import { commonPasswords } from './common-passwords.ts'
import { inTurn } from './in-turn.ts'

const derive = promisify(argon2)

/** Argon2id with 19 MiB and two passes, as OWASP's Password Storage Cheat Sheet has it. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const header = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`
const tagLength = 32

const minLength = 10
const maxLength = 256

/** What is to be entered, for people. */
export const passwordHint = `At least ${minLength} characters. A few words are better than one with digits in it.`

/**
 * Throws ValidationFailed unless a person may take this as their password: 10 to 256 characters, none of the usual ones,
 * and not their own address. No rule asks for digits or signs (NIST SP 800-63B, 3.1.1.2).
 */
export function requirePassword(password: string, email: string): void {
  const fault = passwordFault(password, email)
  if (fault !== undefined) throw ValidationFailed([{ path: 'password', message: fault }])
}

function passwordFault(password: string, email: string): string | undefined {
  const length = [...password].length
  if (length < minLength) return `must have at least ${minLength} characters`
  if (length > maxLength) return `must have at most ${maxLength} characters`
  const unclean = hygieneFault(password)
  if (unclean !== undefined) return unclean.message
  const plain = password.toLowerCase()
  if (plain === email.toLowerCase()) return 'must not be the e-mail address'
  if (new Set(plain).size < 4 || commonPasswords.has(plain)) return 'is one of those that are tried first'
  return undefined
}

/** The same text, however a keyboard composes it. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'))

/** In the PHC string format, with a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await inTurn(() =>
    derive('argon2id', { message: bytesOf(password), nonce, tagLength, ...cost }),
  )
  return `${header}${base64(nonce)}$${base64(tag)}`
}

/** Stands for the password of nobody: comparing with it takes as long. */
const nobodys = `${header}${base64(randomBytes(16))}$${base64(randomBytes(tagLength))}`

const stored = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** Whether it is the password that was hashed; false, as slowly, where there is none. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = stored.exec(hash ?? nobodys) ?? []
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

/** Whether it was hashed at another cost than is usual now. */
export const isDated = (hash: string): boolean => !hash.startsWith(header)

/** The PHC string format leaves the padding out. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
