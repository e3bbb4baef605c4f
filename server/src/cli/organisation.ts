import type { Ctx } from '#kernel/context.ts'
import { violates } from '#kernel/db/faults.ts'
import { NotFound, ReferenceNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import {
  type MemberRow,
  type OfficeRow,
  type TeamRow,
  insertOffice,
  insertTeam,
  insertTeamMember,
  requireText,
  updateMemberActive,
} from '../modules/workspaces/public.ts'

/** `name`: 1 to 120 characters. */
export async function createOffice(ctx: Ctx, name: string): Promise<OfficeRow> {
  requireText('name', name, 120)
  const at = ctx.clock.now()
  const id = newId(at)
  await ctx.transaction((tx) => insertOffice(tx, id, name, at))
  return { id, name, created_at: at.toISOString(), updated_at: at.toISOString() }
}

/** `name`: 1 to 120 characters. An office that is not this workspace's is 404. */
export async function createTeam(ctx: Ctx, name: string, officeId: string | null): Promise<TeamRow> {
  requireText('name', name, 120)
  const at = ctx.clock.now()
  const id = newId(at)
  try {
    await ctx.transaction((tx) => insertTeam(tx, id, name, officeId, at))
  } catch (error) {
    if (violates(error, 'teams_office')) throw ReferenceNotFound('office')
    throw error
  }
  return {
    id,
    name,
    office_id: officeId,
    member_ids: [],
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  }
}

/** Adding somebody a second time changes nothing. */
export async function addToTeam(ctx: Ctx, teamId: string, memberId: string): Promise<void> {
  try {
    await ctx.transaction((tx) => insertTeamMember(tx, teamId, memberId))
  } catch (error) {
    if (violates(error, 'team_members_pkey')) return
    if (violates(error, 'team_members_team')) throw ReferenceNotFound('team')
    if (violates(error, 'team_members_member')) throw ReferenceNotFound('member')
    throw error
  }
}

/** An inactive member keeps what they did and gets nothing new. */
export async function setMemberActive(ctx: Ctx, id: string, active: boolean): Promise<MemberRow> {
  const member = await ctx.transaction((tx) => updateMemberActive(tx, id, active, ctx.clock.now()))
  if (member === undefined) throw NotFound(`There is no member ${id} in this workspace.`)
  return member
}
