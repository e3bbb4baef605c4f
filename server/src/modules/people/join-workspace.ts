import type { Tx } from '#kernel/context.ts'
import { violates } from '#kernel/db/errors.ts'
import { defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { MemberHasJoined, type MemberRow } from '../workspaces/public.ts'
import { type PersonRow, insertMembership, insertPerson } from './queries.ts'

const PersonExists = defineError('conflict', 409, (email: string) => ({
  message: `${email} already has an account. Sign in first, then open the link again.`,
}))

/** Creates a person. `password` is a hash, or null for none. Throws a 409 conflict if the address already has an account. */
export async function createPerson(
  tx: Tx,
  { name, email, password }: Pick<PersonRow, 'name' | 'email' | 'password'>,
): Promise<PersonRow> {
  const now = tx.clock.real.now()
  const at = now.toISOString()
  const id = newId(now)
  const person = { id, name, email, password, totp_confirmed_at: null, created_at: at, updated_at: at }
  try {
    await insertPerson(tx, person)
  } catch (error) {
    if (violates(error, 'people_email')) throw PersonExists(email)
    throw error
  }
  return person
}

/** Lets a person sign in as this member. Does nothing if they already have a membership of the workspace. */
export async function joinWorkspace(tx: Tx, personId: string, { id, role }: MemberRow): Promise<void> {
  if ((await insertMembership(tx, personId, id, tx.clock.real.now())) > 0)
    await tx.emit(MemberHasJoined, { id, role })
}
