import type { Queries } from '#kernel/db/rows.ts'
import { defineError } from '#kernel/errors.ts'
import { type PersonRow, lockPerson } from './people-queries.ts'
import { hasSession } from './session-queries.ts'
import type { Visitor } from './visitor.ts'

/** Whose sign-in is changed: by themselves in a session, or without one by an operator. */
export interface Acting extends Pick<PersonRow, 'id' | 'email'> {
  sessionId?: string
}

export const Overtaken = defineError('conflict', 409, () => ({
  message: 'A moment ago your password was changed, or you were signed out. Sign in again.',
}))

/** A visitor who changes how they sign in. */
export const actingAs = ({ personId, email, sessionId }: Visitor): Acting => ({
  id: personId,
  email,
  sessionId,
})

/**
 * Holds the person until the transaction ends, and answers how they are. Throws Overtaken where the session in which they
 * act has ended, such as by a new password while theirs was being hashed. It comes first in each transaction that changes
 * how somebody signs in: whoever locked a session or a link before the person would wait in a circle.
 */
export async function holdActing(tx: Queries, { id, sessionId }: Acting): Promise<PersonRow> {
  const person = await lockPerson(tx, id)
  if (person === undefined) throw Overtaken()
  if (sessionId !== undefined && (await hasSession(tx, id, sessionId)) === undefined) throw Overtaken()
  return person
}
