import type { Ctx } from '#kernel/context.ts'
import { violates } from '#kernel/db/faults.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { insertTeamMember } from './queries.ts'

/** Adding somebody a second time changes nothing. */
export async function addToTeam(ctx: Ctx, teamId: string, memberId: string): Promise<void> {
  try {
    await ctx.transaction((tx) => insertTeamMember(tx, teamId, memberId))
  } catch (error) {
    if (violates(error, 'team_members_team')) throw ReferenceNotFound('team')
    if (violates(error, 'team_members_member')) throw ReferenceNotFound('member')
    throw error
  }
}
