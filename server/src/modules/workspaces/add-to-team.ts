import type { Ctx } from '#kernel/context.ts'
import { TeamMemberAdded } from './events.ts'
import { insertTeamMember } from './queries.ts'

/** Adds a member to a team. Adding one a second time changes nothing. */
export const addToTeam = (ctx: Ctx, teamId: string, memberId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    if ((await insertTeamMember(tx, teamId, memberId)) > 0)
      await tx.emit(TeamMemberAdded, { id: teamId, member_id: memberId })
  })
