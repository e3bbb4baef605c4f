import type { Ctx, Tx } from '#kernel/context.ts'
import { NotFound, orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { changesOf } from '#kernel/records/changes.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { TeamCreated, TeamMemberAdded, TeamMemberRemoved, TeamUpdated } from './events.ts'
import { requireText } from './names.ts'
import { deleteMemberOfTeam, insertTeam, insertTeamMember, lockTeam, saveTeam } from './team-queries.ts'
import { type TeamPatch, type TeamRow, teamRecord } from './team.ts'

/** `name` is one line of 1 to 120 characters. Throws 404 for an office of another workspace. */
export async function createTeam(ctx: Ctx, draft: { name: string; office_id?: string }): Promise<TeamRow> {
  requireText('name', draft.name, 120)
  const team = { ...teamRecord.create(draft, ctx.clock.now()), member_ids: [] }
  await ctx.transaction(async (tx) => {
    insertTeam(tx, team)
    await tx.emit(TeamCreated, { id: team.id })
  })
  return team
}

export const updateTeam = (ctx: Ctx, id: string, patch: TeamPatch): Promise<TeamRow> =>
  ctx.transaction(async (tx) => {
    const before = requireMatch(ctx, orNotFound(await lockTeam(tx, id)))
    const patched = teamRecord.applyPatch(before, patch, ctx.clock.now())
    if (patched === undefined) return before
    saveTeam(tx, id, patched.changed)
    const after = { ...before, ...patched.after }
    await tx.emit(TeamUpdated, { id, changes: changesOf(teamRecord, ['name', 'office_id'], before, after) })
    return after
  })

/** Adds a member to a team. Idempotent. Throws 404 for a member of another workspace. */
export const addToTeam = (ctx: Ctx, teamId: string, memberId: string): Promise<TeamRow> =>
  ctx.transaction(async (tx) => {
    const team = orNotFound(await lockTeam(tx, teamId))
    if (team.member_ids.includes(memberId)) return team
    insertTeamMember(tx, teamId, memberId)
    await tx.emit(TeamMemberAdded, { id: teamId, member_id: memberId })
    return withMembers(tx, team, [...team.member_ids, memberId].toSorted())
  })

/** Removes a member from a team. Throws 404 if they are not in it. */
export const removeFromTeam = (ctx: Ctx, teamId: string, memberId: string): Promise<TeamRow> =>
  ctx.transaction(async (tx) => {
    const team = orNotFound(await lockTeam(tx, teamId))
    if (!team.member_ids.includes(memberId)) throw NotFound()
    deleteMemberOfTeam(tx, teamId, memberId)
    await tx.emit(TeamMemberRemoved, { id: teamId, member_id: memberId })
    return withMembers(
      tx,
      team,
      team.member_ids.filter((id) => id !== memberId),
    )
  })

/** A new version of the team with these members. */
function withMembers(tx: Tx, team: TeamRow, member_ids: string[]): TeamRow {
  const updated_at = timeAfter(team.updated_at, tx.clock.now())
  saveTeam(tx, team.id, { updated_at })
  return { ...team, member_ids, updated_at }
}
