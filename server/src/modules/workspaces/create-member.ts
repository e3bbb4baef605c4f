import type { Ctx, Tx } from '#kernel/context.ts'
import { violates } from '#kernel/db/faults.ts'
import { ReferenceNotFound, ValidationFailed, defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { emailPattern } from '#kernel/schemas.ts'
import { MemberWasActivated } from './events.ts'
import { requireText } from './names.ts'
import { type MemberRow, type Role, insertMember, lockMemberByEmail, roles, saveMember } from './queries.ts'

const MemberExists = defineError('conflict', 409, (email: string) => ({
  message: `${email} is a member of this workspace already.`,
}))

export interface NewMember {
  name: string
  email: string
  role: Role
  officeId?: string | null
}

/**
 * Adds a person to the workspace. One e-mail address is one member, whatever its case. What `also` does happens in the
 * same transaction.
 */
export async function createMember(
  ctx: Ctx,
  member: NewMember,
  also: (tx: Tx, row: MemberRow) => Promise<void> = async () => undefined,
): Promise<MemberRow> {
  try {
    return await ctx.transaction(async (tx) => {
      const row = await addMember(tx, member)
      await also(tx, row)
      return row
    })
  } catch (error) {
    if (violates(error, 'members_email')) throw MemberExists(member.email)
    if (violates(error, 'members_office')) throw ReferenceNotFound('office_id')
    throw error
  }
}

/**
 * The member with this address: who is active stays as they are, who was one once is it again, in this role, and whoever
 * is new is added.
 */
export async function admitMember(tx: Tx, member: NewMember): Promise<MemberRow> {
  const known = await lockMemberByEmail(tx, member.email)
  if (known === undefined) return addMember(tx, member)
  if (known.active) return known
  const back = { ...known, active: true, role: member.role, updated_at: tx.clock.now().toISOString() }
  saveMember(tx, back)
  await tx.emit(MemberWasActivated, { id: back.id, role: back.role })
  return back
}

async function addMember(tx: Tx, { name, email, role, officeId = null }: NewMember): Promise<MemberRow> {
  requireText('name', name, 120)
  if (!new RegExp(emailPattern).test(email))
    throw ValidationFailed([{ path: 'email', message: 'must be a valid email' }])
  if (!roles.includes(role))
    throw ValidationFailed([{ path: 'role', message: `must be one of ${roles.join(', ')}` }])
  const at = tx.clock.now()
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
  await insertMember(tx, row)
  return row
}
