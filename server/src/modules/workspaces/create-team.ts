import type { Ctx } from '#kernel/context.ts'
import { violates } from '#kernel/db/faults.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { requireText } from './names.ts'
import { type TeamRow, insertTeam } from './queries.ts'

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
  const created = { created_at: at.toISOString(), updated_at: at.toISOString() }
  return { id, name, office_id: officeId, member_ids: [], ...created }
}
