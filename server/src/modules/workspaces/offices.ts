import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { changesOf } from '#kernel/records/changes.ts'
import { OfficeCreated, OfficeUpdated } from './events.ts'
import { requireText } from './names.ts'
import { type OfficePatch, type OfficeRow, officeRecord } from './office.ts'
import { insertOffice, lockOffice, saveOffice } from './team-queries.ts'

/** `name` is one line of 1 to 120 characters. */
export async function createOffice(ctx: Ctx, { name }: { name: string }): Promise<OfficeRow> {
  requireText('name', name, 120)
  const office = officeRecord.create({ name }, ctx.clock.now())
  await ctx.transaction(async (tx) => {
    insertOffice(tx, office)
    await tx.emit(OfficeCreated, { id: office.id })
  })
  return office
}

export const updateOffice = (ctx: Ctx, id: string, patch: OfficePatch): Promise<OfficeRow> =>
  ctx.transaction(async (tx) => {
    const before = requireMatch(ctx, orNotFound(await lockOffice(tx, id)))
    const patched = officeRecord.applyPatch(before, patch, ctx.clock.now())
    if (patched === undefined) return before
    saveOffice(tx, id, patched.changed)
    await tx.emit(OfficeUpdated, { id, changes: changesOf(officeRecord, ['name'], before, patched.after) })
    return patched.after
  })
