import type { Ctx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { TeamCreated } from './events.ts'
import { requireText } from './names.ts'
import { type TeamRow, insertTeam } from './queries.ts'

/** `name`: 1 to 120 characters. 404 for an office of another workspace. */
export async function createTeam(ctx: Ctx, name: string, officeId: string | null): Promise<TeamRow> {
  requireText('name', name, 120)
  const at = ctx.clock.now()
  const id = newId(at)
  await ctx.transaction(async (tx) => {
    await insertTeam(tx, id, name, officeId, at)
    await tx.emit(TeamCreated, { id })
  })
  const created = { created_at: at.toISOString(), updated_at: at.toISOString() }
  return { id, name, office_id: officeId, member_ids: [], ...created }
}
