import type { Ctx } from '#kernel/context.ts'
import { violates } from '#kernel/db/faults.ts'
import { ReferenceNotFound, ValidationFailed, defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { emailPattern } from '#kernel/schemas.ts'
import { requireText } from './names.ts'
import { type MemberRow, type Role, insertMember, roles } from './queries.ts'

const MemberExists = defineError('conflict', 409, (email: string) => ({
  message: `${email} is a member of this workspace already.`,
}))

export interface NewMember {
  name: string
  email: string
  role: Role
  officeId?: string | null
}

/** Adds a person to the workspace. One e-mail address is one member, whatever its case. */
export async function createMember(
  ctx: Ctx,
  { name, email, role, officeId = null }: NewMember,
): Promise<MemberRow> {
  requireText('name', name, 120)
  if (!new RegExp(emailPattern).test(email))
    throw ValidationFailed([{ path: 'email', message: 'must be a valid email' }])
  if (!roles.includes(role))
    throw ValidationFailed([{ path: 'role', message: `must be one of ${roles.join(', ')}` }])
  const at = ctx.clock.now()
  const row: MemberRow = {
    id: newId(at),
    name,
    email,
    role,
    active: true,
    office_id: officeId,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  }
  try {
    await ctx.transaction((tx) => insertMember(tx, row))
  } catch (error) {
    if (violates(error, 'members_email')) throw MemberExists(email)
    if (violates(error, 'members_office')) throw ReferenceNotFound('office_id')
    throw error
  }
  return row
}
