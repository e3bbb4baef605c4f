import type { House } from '#kernel/context.ts'
import type { Writer } from '#kernel/db/transaction.ts'
import { type Acting, holdActing } from './acting.ts'
import { deleteResetsOf } from './link-queries.ts'
import { hashPassword, requirePassword } from './password.ts'
import { savePassword } from './people-queries.ts'
import { deleteSessions } from './session-queries.ts'
import { deleteStepsOf } from './step-queries.ts'
import { tellPerson } from './tell-person.ts'

/**
 * Puts a password in place of the one before, if any, of a person whom the transaction holds. What was begun with that one
 * ends: sessions but for the one in which they act, steps of a sign-in, links that set a password. The person is told.
 */
export async function replacePassword(
  tx: Writer,
  house: House,
  person: Acting,
  hashed: string,
): Promise<void> {
  await savePassword(tx, person.id, hashed, house.clock.now())
  await deleteSessions(tx, person.id, person.sessionId ?? null)
  await deleteStepsOf(tx, person.id)
  await deleteResetsOf(tx, person.id)
  tellPerson(tx, house, person, 'Your password was changed.')
}

/**
 * Somebody changes their own password, or an operator does it for them. Throws ValidationFailed for the password, and
 * Overtaken.
 */
export async function setPassword(house: House, person: Acting, password: string): Promise<void> {
  requirePassword(password, person.email)
  const hashed = await hashPassword(password)
  await house.database.transaction('', async (tx) => {
    await holdActing(tx, person)
    await replacePassword(tx, house, person, hashed)
  })
}
