import type { Ctx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { OfficeCreated } from './events.ts'
import { requireText } from './names.ts'
import { type OfficeRow, insertOffice } from './queries.ts'

/** `name`: 1 to 120 characters. */
export async function createOffice(ctx: Ctx, name: string): Promise<OfficeRow> {
  requireText('name', name, 120)
  const at = ctx.clock.now()
  const id = newId(at)
  await ctx.transaction(async (tx) => {
    await insertOffice(tx, id, name, at)
    await tx.emit(OfficeCreated, { id })
  })
  return { id, name, created_at: at.toISOString(), updated_at: at.toISOString() }
}
