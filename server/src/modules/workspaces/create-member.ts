import type { Ctx, Tx } from '#kernel/context.ts'
import { violates } from '#kernel/db/errors.ts'
import { ValidationFailed, defineError, orNotFound } from '#kernel/errors.ts'
import { notOneOf } from '#kernel/http/validation.ts'
import { isEmail } from '#kernel/schemas.ts'
import { MemberAdded, MemberWasActivated } from './events.ts'
import { type MemberDraft, type MemberRow, memberRecord, requirePhone } from './member.ts'
import { requireText } from './names.ts'
import { insertMember, lockMemberByEmail, saveMember } from './queries.ts'
import { roles } from './roles.ts'

const MemberExists = defineError('conflict', 409, (email: string) => ({
  message: `${email} is already a member of this workspace.`,
}))

/** Adds a member. Email addresses are unique regardless of case. `also` runs in the same transaction. */
export async function createMember(
  ctx: Ctx,
  member: MemberDraft,
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

/**
 * Returns the member with this address: an active member unchanged, an inactive one reactivated with this role, or a
 * new one.
 */
export async function admitMember(tx: Tx, member: MemberDraft): Promise<MemberRow> {
  const known = await lockMemberByEmail(tx, member.email)
  if (known === undefined) return addMember(tx, member)
  if (known.active) return known
  const patch = { active: true, role: member.role, team_lead: member.team_lead ?? false }
  const { after, changed } = orNotFound(memberRecord.applyPatch(known, patch, tx.clock.now()))
  saveMember(tx, known.id, changed)
  await tx.emit(MemberWasActivated, { id: after.id, role: after.role })
  return after
}

async function addMember(
  tx: Tx,
  { name, email, phone, role, team_lead, office_id }: MemberDraft,
): Promise<MemberRow> {
  requireText('name', name, 120)
  if (!isEmail(email)) throw ValidationFailed([{ path: 'email', message: 'must be a valid email' }])
  if (!roles.includes(role)) throw ValidationFailed([{ path: 'role', message: notOneOf(role, roles) }])
  requirePhone(phone)
  const draft = {
    name,
    email,
    role,
    ...(phone && { phone }),
    ...(team_lead && { team_lead }),
    ...(office_id && { office_id }),
  }
  const row = memberRecord.create(draft, tx.clock.now())
  await insertMember(tx, row)
  await tx.emit(MemberAdded, { id: row.id, role })
  return row
}
