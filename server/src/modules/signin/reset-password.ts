import { hash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { House } from '#kernel/context.ts'
import { hashSecret, isWellFormed, networkOf, newSecret } from '../access/public.ts'
import { queueMail } from '../mail/public.ts'
import { LinkIsSpent } from './accept-invitation.ts'
import { holdActing } from './acting.ts'
import { attemptLimits, countAttempt } from './attempts.ts'
import { later, resetMs } from './lifetimes.ts'
import { findReset, insertReset, takeReset } from './link-queries.ts'
import { hashPassword, requirePassword } from './password.ts'
import { type PersonRow, findPerson } from './people-queries.ts'
import { personOfAddress } from './person-of-address.ts'
import { replacePassword } from './replace-password.ts'

/** How long an answer takes, whether or not a mail is written meanwhile: that takes a few milliseconds. */
const answerMs = 100

/**
 * Sends a link by which a new password can be set, once and within an hour, if somebody has this address. Nobody learns
 * from it whether somebody does, nor from how long it takes. Throws TooManyAttempts where too many were asked for.
 */
export async function requestReset(
  house: House,
  { email, address, origin }: { email: string; address: string; origin: string },
): Promise<void> {
  const account = `reset ${hash('sha256', email.toLowerCase())}`
  // Not with passwords: who is kept out for wrong ones gets in by a link.
  const shared = { [`resets ${networkOf(address)}`]: attemptLimits.network }
  await countAttempt(house, { own: { [account]: attemptLimits.place }, shared })
  await Promise.all([sendResetTo(house, email, origin), setTimeout(answerMs)])
}

async function sendResetTo(house: House, email: string, origin: string): Promise<void> {
  const person = await personOfAddress(house, email)
  if (person !== undefined) await sendReset(house, person, origin)
}

/** As requestReset, for somebody who is there. Answers the link, for an operator. */
export async function sendReset(house: House, { id, email }: PersonRow, origin: string): Promise<string> {
  const { secret, link } = newLink(origin)
  const now = house.clock.now()
  await house.database.transaction('', async (tx) => {
    await insertReset(tx, hashSecret(secret), id, now, later(now, resetMs))
    queueMail(tx, house, {
      to: email,
      subject: 'Set a new password',
      text: [
        `By this link a new password can be set for ${email} on Gable. It works for an hour, and once:\n${link}`,
        'If you did not ask for it, leave it alone: your password stays as it is.',
      ].join('\n\n'),
    })
  })
  return link
}

function newLink(origin: string) {
  const secret = newSecret('gbl_ln_')
  return { secret, link: `${origin}/sign-in/reset?token=${secret}` }
}

/** Whose password a link can set; undefined for one that has been used or is too old. */
export async function personOfReset(
  { database: { directory }, clock }: House,
  token: string,
): Promise<PersonRow | undefined> {
  if (!isWellFormed('gbl_ln_', token)) return undefined
  const row = await findReset(directory, hashSecret(token), clock.now())
  return row && (await findPerson(directory, row.person_id))
}

/**
 * Sets the password by a link. All sessions of the person end, and all other links. Answers them as they are now. Throws
 * LinkIsSpent.
 */
export async function resetPassword(house: House, token: string, password: string): Promise<PersonRow> {
  const person = await personOfReset(house, token)
  if (person === undefined) throw LinkIsSpent()
  requirePassword(password, person.email)
  const hashed = await hashPassword(password)
  return house.database.transaction('', async (tx) => {
    const held = await holdActing(tx, { id: person.id, email: person.email })
    if ((await takeReset(tx, hashSecret(token), house.clock.now())) === undefined) throw LinkIsSpent()
    await replacePassword(tx, house, held, hashed)
    return { ...held, password: hashed }
  })
}
