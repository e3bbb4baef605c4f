import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { mayManage, roleOfActor } from '../workspaces/public.ts'
import { InvitationWasRevoked } from './events.ts'
import { OwnersInvitation } from './invite-member.ts'
import { type InvitationRow, markInvitationRevoked } from './queries.ts'

/** Revokes an open invitation of the workspace. Its link stops working. Only an owner can revoke an owner's invitation. */
export const revokeInvitation = (ctx: Ctx, id: string): Promise<InvitationRow> =>
  ctx.transaction(async (tx) => {
    const row = orNotFound(await markInvitationRevoked(tx, id, ctx.clock.real.now()))
    if (!mayManage(await roleOfActor(tx), row.role)) throw OwnersInvitation()
    await tx.emit(InvitationWasRevoked, { id, role: row.role })
    return row
  })
