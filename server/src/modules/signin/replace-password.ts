import type { House } from '#kernel/context.ts'
import type { Writer } from '#kernel/db/transaction.ts'
import { deleteResetsOf } from './link-queries.ts'
import { hashPassword, requirePassword } from './password.ts'
import { type PersonRow, savePassword } from './people-queries.ts'
import { deleteSessions } from './session-queries.ts'
import { deleteStepsOf } from './step-queries.ts'
import { tellPerson } from './tell-person.ts'

type Who = Pick<PersonRow, 'id' | 'email'>

/**
 * Puts a password in place of the one before, if any. What was begun with that one ends: sessions but for the one named,
 * steps of a sign-in, links that set a password. The person is told.
 */
export async function replacePassword(
  tx: Writer,
  house: House,
  person: Who,
  hashed: string,
  exceptSessionId: string | null,
): Promise<void> {
  // First the person: a session that begins at the same time waits, and finds that its password counts no more.
  await savePassword(tx, person.id, hashed, house.clock.now())
  await deleteSessions(tx, person.id, exceptSessionId)
  await deleteStepsOf(tx, person.id)
  await deleteResetsOf(tx, person.id)
  tellPerson(tx, house, person, 'Your password was changed.')
}

/** Somebody changes their own password, or an operator does it for them. Throws ValidationFailed for the password. */
export async function setPassword(
  house: House,
  person: Who,
  password: string,
  exceptSessionId: string | null = null,
): Promise<void> {
  requirePassword(password, person.email)
  const hashed = await hashPassword(password)
  await house.database.transaction('', (tx) => replacePassword(tx, house, person, hashed, exceptSessionId))
}
