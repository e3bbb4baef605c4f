import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { InvitationWasRevoked } from './events.ts'
import { type InvitationRow, markRevoked } from './link-queries.ts'

/** Takes an open invitation of the workspace back: its link works no more. */
export const revokeInvitation = (ctx: Ctx, id: string): Promise<InvitationRow> =>
  ctx.transaction(async (tx) => {
    const row = found(await markRevoked(tx, id, ctx.clock.now()))
    await tx.emit(InvitationWasRevoked, { id, role: row.role })
    return row
  })
