import type { Runtime } from '#kernel/context.ts'
import type { DirectoryTx } from '#kernel/db/handles.ts'
import { notifyPerson } from './notify-person.ts'
import { hashPassword, requirePassword } from './password.ts'
import { deleteResetsOf, savePassword } from './queries.ts'
import { deleteSessions, deleteStepsOf } from './session-queries.ts'
import { type AuthenticatedPerson, lockAuthenticatedPerson } from './sessions.ts'

/** Saves a password for a locked person. Ends their other sessions, sign-in steps and password links, and notifies them. */
export async function replacePassword(
  tx: DirectoryTx,
  runtime: Runtime,
  person: AuthenticatedPerson,
  hashed: string,
): Promise<void> {
  await savePassword(tx, person.id, hashed, runtime.clock.now())
  await deleteSessions(tx, person.id, person.sessionId ?? null)
  await deleteStepsOf(tx, person.id)
  await deleteResetsOf(tx, person.id)
  notifyPerson(tx, runtime, person, 'Your password was changed.')
}

/** Sets a person's password, for the person or for an operator. Throws `ValidationFailed` and `SessionSuperseded`. */
export async function setPassword(
  runtime: Runtime,
  person: AuthenticatedPerson,
  password: string,
): Promise<void> {
  requirePassword(password, person.email)
  const hashed = await hashPassword(password)
  await runtime.database.directory.transaction(async (tx) => {
    await lockAuthenticatedPerson(tx, person)
    await replacePassword(tx, runtime, person, hashed)
  })
}
