import type { Ctx, Tx } from '#kernel/context.ts'
import { violates } from '#kernel/db/errors.ts'
import { ValidationFailed, defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { emailPattern } from '#kernel/schemas.ts'
import { MemberAdded, MemberWasActivated } from './events.ts'
import { requireText } from './names.ts'
import { type MemberRow, insertMember, lockMemberByEmail, saveMember } from './queries.ts'
import { type Role, roles } from './roles.ts'

const MemberExists = defineError('conflict', 409, (email: string) => ({
  message: `${email} is a member of this workspace already.`,
}))

export interface NewMember {
  name: string
  email: string
  role: Role
  /** False unless it is given. */
  teamLead?: boolean
  officeId?: string | null
}

/** Adds a member. An email address is one member, whatever its case. `also` runs in the same transaction. */
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
    throw error
  }
}

/** Returns the member with this address: an active one unchanged, a deactivated one activated with this role, or a new one. */
export async function admitMember(tx: Tx, member: NewMember): Promise<MemberRow> {
  const known = await lockMemberByEmail(tx, member.email)
  if (known === undefined) return addMember(tx, member)
  if (known.active) return known
  const back = {
    ...known,
    active: true,
    role: member.role,
    team_lead: member.teamLead ?? false,
    updated_at: tx.clock.now().toISOString(),
  }
  saveMember(tx, back)
  await tx.emit(MemberWasActivated, { id: back.id, role: back.role })
  return back
}

async function addMember(
  tx: Tx,
  { name, email, role, teamLead = false, officeId = null }: NewMember,
): Promise<MemberRow> {
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
    team_lead: teamLead,
    active: true,
    office_id: officeId,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  }
  await insertMember(tx, row)
  await tx.emit(MemberAdded, { id: row.id, role })
  return row
}
