import type { Ctx, Tx } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import type { MemberRow } from '../workspaces/public.ts'
import { createPerson, joinWorkspace } from './join-workspace.ts'
import { hashPassword, isPassword, requirePassword } from './password.ts'
import { findPersonByEmail } from './queries.ts'

const OtherPassword = defineError('conflict', 409, (email: string) => ({
  message: `${email} already signs in with another password. Use that password, or send them an invitation.`,
}))

/**
 * For operators: lets a member sign in with this password, without an invitation. A person who already has an account
 * keeps their password, so it must be the same one. Checks the password immediately. The returned function creates the
 * person, if necessary, and links them to the member within the caller's transaction. Throws `ValidationFailed`, and a
 * conflict for another password.
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
  return async (tx, member) => {
    const person = known ?? (await createPerson(tx, { name: member.name, email, password: hashed }))
    await joinWorkspace(tx, person.id, member)
  }
}

/** As `allowSignIn`, for an existing member. */
export async function enablePasswordSignIn(ctx: Ctx, member: MemberRow, password: string): Promise<void> {
  const allow = await allowSignIn(ctx, member.email, password)
  await ctx.transaction((tx) => allow(tx, member))
}
