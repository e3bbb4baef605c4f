import type { Ctx } from '#kernel/context.ts'
import { NotFound, defineError } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { changesOf } from '#kernel/records/changes.ts'
import {
  MemberRoleChanged,
  MemberBecameTeamLead,
  MemberNoLongerTeamLead,
  MemberUpdated,
  MemberWasActivated,
  MemberWasDeactivated,
} from './events.ts'
import { type MemberPatch, type MemberRow, memberRecord, requirePhone } from './member.ts'
import { lockMembers, lockOwners, saveMember } from './queries.ts'
import { roleAs } from './role-of-actor.ts'
import { type Role, mayManage } from './roles.ts'

export const MemberInactive = defineError('member_inactive', 409, (path: string) => ({
  message: 'An inactive member gets no leads, appointments, tasks, or calls.',
  details: [{ path, message: 'is inactive' }],
}))

const LastOwner = defineError('conflict', 409, () => ({
  message: 'A workspace must keep at least one active owner. Make another member an owner first.',
}))

const MayNotManage = defineError('forbidden', 403, () => ({
  message: 'Only an owner can change an owner or make another member an owner.',
}))

/** Deactivates or reactivates a member. An inactive member keeps their records but gets nothing new. */
export const setMemberActive = (ctx: Ctx, id: string, active: boolean): Promise<MemberRow> =>
  changeMember(ctx, id, { active })

/** Gives a member another role. It applies from their next request. */
export const setMemberRole = (ctx: Ctx, id: string, role: Role): Promise<MemberRow> =>
  changeMember(ctx, id, { role })

/**
 * Applies the patch, with one event for each actual change. The actor must be an owner, or an admin if neither the
 * member nor the new role is owner. Operators count as owners. Throws 409 for the last active owner.
 */
export const changeMember = (ctx: Ctx, id: string, patch: MemberPatch): Promise<MemberRow> =>
  ctx.transaction(async (tx) => {
    requirePhone(patch.phone)
    // Lock the owners first, in ID order, so that two owners who remove each other do so one after the other.
    const owners = await lockOwners(tx)
    const { id: actorId } = tx.actor
    const locked = await lockMembers(tx, actorId === null ? [id] : [id, actorId])
    const before = locked.find((one) => one.id === id)
    if (before === undefined) throw NotFound('This workspace does not have this member.')
    const by = roleAs(
      tx.actor,
      locked.find((one) => one.id === actorId),
    )
    if (!mayManage(by, before.role) || !mayManage(by, patch.role ?? before.role)) throw MayNotManage()
    const patched = memberRecord.applyPatch(requireMatch(ctx, before), patch, ctx.clock.now())
    if (patched === undefined) return before
    const { after, changed } = patched
    requireOwnerBeside(owners, after)
    saveMember(tx, id, changed)
    const { role } = after
    const changes = changesOf(memberRecord, ['name', 'phone', 'office_id'], before, after)
    if (changes.length > 0) await tx.emit(MemberUpdated, { id, role, changes })
    for (const event of eventsOf(after, changed)) await tx.emit(event, { id, role })
    return after
  })

const eventsOf = (after: MemberRow, changed: Partial<MemberRow>) => [
  ...('role' in changed ? [MemberRoleChanged] : []),
  ...('team_lead' in changed ? [after.team_lead ? MemberBecameTeamLead : MemberNoLongerTeamLead] : []),
  ...('active' in changed ? [after.active ? MemberWasActivated : MemberWasDeactivated] : []),
]

function requireOwnerBeside(owners: readonly { id: string }[], { id, active, role }: MemberRow): void {
  const isOwnerStill = active && role === 'owner'
  if (!isOwnerStill && owners.length === 1 && owners[0]?.id === id) throw LastOwner()
}
