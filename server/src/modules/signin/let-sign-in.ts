import type { Ctx } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { MemberRow } from '../workspaces/public.ts'
import { hashPassword, isPassword, requirePassword } from './password.ts'
import { findPersonByEmail, insertMembership, insertPerson } from './people-queries.ts'

const OtherPassword = defineError('conflict', 409, (email: string) => ({
  message: `${email} signs in already, with another password. Leave the password out: the one they have works here, too.`,
}))

/**
 * An operator lets a member sign in with this password, without an invitation. Whoever signs in with the member's address
 * elsewhere keeps the password they have; it must be the same one.
 */
export async function letSignIn(ctx: Ctx, { id, name, email }: MemberRow, password: string): Promise<void> {
  requirePassword(password, email)
  const known = await findPersonByEmail(ctx.directory, email)
  if (known !== undefined && !(await isPassword(password, known.password))) throw OtherPassword(email)
  const hash = await hashPassword(password)
  const now = ctx.clock.now()
  const at = now.toISOString()
  const personId = known?.id ?? newId(now)
  await ctx.transaction(async (tx) => {
    const person = { name, email, password: hash, totp_confirmed_at: null, created_at: at, updated_at: at }
    if (known === undefined) await insertPerson(tx, { id: personId, ...person })
    await insertMembership(tx, personId, id, now)
  })
}
