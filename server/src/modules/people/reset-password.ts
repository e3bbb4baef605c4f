import { hash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { later } from '#kernel/clock.ts'
import type { Runtime } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import { hashSecret, isWellFormed, networkOf, newSecret } from '../access/public.ts'
import { queueMail } from '../mail/public.ts'
import { attemptLimits, countAttempt } from './attempts.ts'
import { hashPassword, requirePassword } from './password.ts'
import { type PersonRow, findPerson, findReset, insertReset, consumeReset } from './queries.ts'
import { lockAuthenticatedPerson } from './sessions.ts'
import { replacePassword } from './set-password.ts'
import { findPersonByTypedEmail } from './sign-in.ts'

export const LinkIsSpent = defineError('not_found', 404, () => ({
  message: 'This link was used or revoked, or it is too old. Ask for a new one.',
}))

/** A password link works for this long. */
const resetMs = 60 * 60_000

/**
 * The minimum duration of the response. Queueing a mail takes only a few milliseconds, so the duration does not show
 * whether one was queued.
 */
const responseMs = 100

/**
 * Emails a password link if the address has an account. Neither the response nor its duration shows whether it does.
 * Throws `TooManyAttempts` above the limits.
 */
export async function requestReset(
  runtime: Runtime,
  { email, address }: { email: string; address: string },
): Promise<void> {
  const account = `reset ${hash('sha256', email.toLowerCase())}`
  // Counted separately from passwords: a link is the way back in after too many wrong passwords.
  const shared = { [`resets ${networkOf(address)}`]: attemptLimits.network }
  await countAttempt(runtime, { own: { [account]: attemptLimits.place }, shared })
  await Promise.all([sendResetTo(runtime, email), setTimeout(responseMs)])
}

async function sendResetTo(runtime: Runtime, email: string): Promise<void> {
  const person = await findPersonByTypedEmail(runtime, email)
  if (person !== undefined) await sendReset(runtime, person)
}

/** Emails a password link to a person. Returns the link, for operators. */
export async function sendReset(runtime: Runtime, { id, email }: PersonRow): Promise<string> {
  const { secret, link } = newLink(runtime)
  const now = runtime.clock.now()
  await runtime.database.directory.transaction(async (tx) => {
    await insertReset(tx, hashSecret(secret), id, now, later(now, resetMs))
    queueMail(tx, runtime, {
      to: email,
      subject: 'Reset your password',
      text: [
        `To set a new password for ${email} on Gable, open this link. It works once, for one hour:\n${link}`,
        'If you did not request this, you can ignore this email. Your password stays the same.',
      ].join('\n\n'),
    })
  })
  return link
}

function newLink({ origin }: Runtime) {
  const secret = newSecret('gbl_ln_')
  return { secret, link: `${origin()}/sign-in/reset?token=${secret}` }
}

/** Returns the person whom a link belongs to; undefined if the link was used or has expired. */
export async function personOfReset(
  { database: { directory }, clock }: Runtime,
  token: string,
): Promise<PersonRow | undefined> {
  if (!isWellFormed('gbl_ln_', token)) return undefined
  const row = await findReset(directory, hashSecret(token), clock.now())
  return row && (await findPerson(directory, row.person_id))
}

/**
 * Uses up a link to set the person's password. Ends all of their sessions and other links. Returns the person. Throws
 * `LinkIsSpent` and `ValidationFailed`.
 */
export async function resetPassword(runtime: Runtime, token: string, password: string): Promise<PersonRow> {
  const person = await personOfReset(runtime, token)
  if (person === undefined) throw LinkIsSpent()
  requirePassword(password, person.email)
  const hashed = await hashPassword(password)
  return runtime.database.directory.transaction(async (tx) => {
    const held = await lockAuthenticatedPerson(tx, { id: person.id, email: person.email })
    if ((await consumeReset(tx, hashSecret(token), runtime.clock.now())) === undefined) throw LinkIsSpent()
    await replacePassword(tx, runtime, held, hashed)
    return { ...held, password: hashed }
  })
}
