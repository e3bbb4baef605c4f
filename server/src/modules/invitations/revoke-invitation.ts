import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { InvitationWasRevoked } from './events.ts'
import { type InvitationRow, markInvitationRevoked } from './queries.ts'

/** Revokes an open invitation of the workspace. Its link stops working. */
export const revokeInvitation = (ctx: Ctx, id: string): Promise<InvitationRow> =>
  ctx.transaction(async (tx) => {
    const row = found(await markInvitationRevoked(tx, id, ctx.clock.now()))
    await tx.emit(InvitationWasRevoked, { id, role: row.role })
    return row
  })
