import type { Ctx, Tx } from '#kernel/context.ts'
import { violates } from '#kernel/db/faults.ts'
import { defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { MemberRow } from '../workspaces/public.ts'
import { MemberHasJoined } from './events.ts'
import { hashPassword, isPassword, requirePassword } from './password.ts'
import { type PersonRow, findPersonByEmail, insertMembership, insertPerson } from './people-queries.ts'

const OtherPassword = defineError('conflict', 409, (email: string) => ({
  message: `${email} signs in already, with another password. Give that one, or send them an invitation.`,
}))

/**
 * For an operator, who lets a member sign in with this password, without an invitation. Whoever signs in with the address
 * elsewhere keeps the password they have; it must be the same one. The password is judged at once; what is answered makes
 * the member somebody who signs in, in the transaction of the caller.
 */
export async function allowSignIn(
  ctx: Ctx,
  email: string,
  password: string,
): Promise<(tx: Tx, member: MemberRow) => Promise<void>> {
  requirePassword(password, email)
  const known = await findPersonByEmail(ctx.directory, email)
  if (known !== undefined && !(await isPassword(password, known.password))) throw OtherPassword(email)
  const hashed = known === undefined ? await hashPassword(password) : null
  const now = ctx.clock.now()
  return async (tx, { id, name, role }) => {
    const person = known ?? (await addPerson(tx, { name, email, password: hashed }, now))
    if ((await insertMembership(tx, person.id, id, now)) > 0) await tx.emit(MemberHasJoined, { id, role })
  }
}

/** As allowSignIn, for somebody who is a member already. */
export async function letSignIn(ctx: Ctx, member: MemberRow, password: string): Promise<void> {
  const allow = await allowSignIn(ctx, member.email, password)
  await ctx.transaction((tx) => allow(tx, member))
}

async function addPerson(
  tx: Tx,
  { name, email, password }: Pick<PersonRow, 'name' | 'email' | 'password'>,
  now: Date,
): Promise<PersonRow> {
  const at = now.toISOString()
  const person = {
    id: newId(now),
    name,
    email,
    password,
    totp_confirmed_at: null,
    created_at: at,
    updated_at: at,
  }
  try {
    await insertPerson(tx, person)
  } catch (error) {
    if (violates(error, 'people_email')) throw OtherPassword(email)
    throw error
  }
  return person
}
