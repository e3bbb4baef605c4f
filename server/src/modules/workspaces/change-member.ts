import type { Ctx } from '#kernel/context.ts'
import { NotFound, defineError } from '#kernel/errors.ts'
import { MemberRoleChanged, MemberWasActivated, MemberWasDeactivated } from './events.ts'
import { type MemberRow, type Role, lockMembers, lockOwners, saveMember } from './queries.ts'

const LastOwner = defineError('conflict', 409, () => ({
  message: 'A workspace keeps at least one active owner. Make somebody else an owner first.',
}))

const MayNotManage = defineError('forbidden', 403, () => ({
  message: 'Only an owner changes an owner, or makes somebody one.',
}))

/**
 * Ends a member's work or lets them work again. An inactive member keeps what they did and gets nothing new. Whoever asks
 * must be an owner, or an admin where nobody is an owner; an operator may do what an owner may.
 */
export const setMemberActive = (ctx: Ctx, id: string, active: boolean): Promise<MemberRow> =>
  change(ctx, id, { active }, active ? MemberWasActivated : MemberWasDeactivated)

/** Gives a member another role, from their next request on. Who may is as above. */
export const setMemberRole = (ctx: Ctx, id: string, role: Role): Promise<MemberRow> =>
  change(ctx, id, { role }, MemberRoleChanged)

/** What is so already stays, without an event. */
const change = (
  ctx: Ctx,
  id: string,
  patch: Partial<Pick<MemberRow, 'active' | 'role'>>,
  announced: typeof MemberRoleChanged,
): Promise<MemberRow> =>
  ctx.transaction(async (tx) => {
    // First the owners, in their order: two of them who remove each other at once do so one after the other.
    const owners = await lockOwners(tx)
    const { type, id: actorId } = tx.actor
    const locked = await lockMembers(tx, actorId === null ? [id] : [id, actorId])
    const member = locked.find((one) => one.id === id)
    if (member === undefined) throw NotFound(`There is no member ${id} in this workspace.`)
    const changed = { ...member, ...patch, updated_at: ctx.clock.now().toISOString() }
    const by = type === 'member' ? roleOf(locked.find((one) => one.id === actorId)) : 'owner'
    if (!mayManage(by, member.role) || !mayManage(by, changed.role)) throw MayNotManage()
    if (changed.active === member.active && changed.role === member.role) return member
    requireOwnerBeside(owners, changed)
    saveMember(tx, changed)
    await tx.emit(announced, { id, role: changed.role })
    return changed
  })

/** Of a member who may have been removed since they asked. */
const roleOf = (member: MemberRow | undefined): Role => (member?.active === true ? member.role : 'agent')

function requireOwnerBeside(owners: readonly { id: string }[], { id, active, role }: MemberRow): void {
  const isOwnerStill = active && role === 'owner'
  if (!isOwnerStill && owners.length === 1 && owners[0]?.id === id) throw LastOwner()
}

/** Whether somebody of this role may bring in, change or remove one of the other: owners anybody, admins all but owners. */
export const mayManage = (by: Role, other: Role): boolean =>
  by === 'owner' || (by === 'admin' && other !== 'owner')
