import type { Ctx, Tx } from '#kernel/context.ts'
import { NotFound, orNotFound } from '#kernel/errors.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { lockFurtherForShare, lockNamedForShare } from '../contacts/public.ts'
import { contactsOf } from './deal.ts'
import { DealDeleted, DealRestored } from './events.ts'
import { findDeal, listContactsOfDeal, lockDeal, saveDeal } from './queries.ts'
import type { StagedDeal } from './schemas.ts'

const restorableMs = 30 * 24 * 3_600_000

/** Soft-deletes a deal. Throws 404 if it is already deleted. */
export const deleteDeal = (ctx: Ctx, id: string): Promise<{ id: string; deleted: boolean }> =>
  ctx.transaction(async (tx) => {
    const deal = orNotFound(await lockWithContacts(tx, id))
    if (deal.deleted_at !== null) throw NotFound()
    const at = timeAfter(deal.updated_at, ctx.clock.now())
    saveDeal(tx, deal, { deleted_at: at, updated_at: at })
    await tx.emit(DealDeleted, { id, contact_ids: deal.contact_ids })
    return { id, deleted: true }
  })

/**
 * Restores a deal that was deleted within the last 30 days; 404 after that. A deal that is not deleted stays as it is.
 */
export const restoreDeal = (ctx: Ctx, id: string): Promise<StagedDeal> =>
  ctx.transaction(async (tx) => {
    const deal = orNotFound(await lockWithContacts(tx, id))
    if (deal.deleted_at !== null) {
      const now = ctx.clock.now()
      if (now.getTime() - Date.parse(deal.deleted_at) > restorableMs) throw NotFound()
      saveDeal(tx, deal, { deleted_at: null, updated_at: timeAfter(deal.updated_at, now) })
      await tx.emit(DealRestored, { id, contact_ids: deal.contact_ids })
    }
    return orNotFound(await findDeal(tx, id))
  })

/** Locks a deal, even a deleted one, after its contacts. */
async function lockWithContacts(tx: Tx, id: string) {
  const held = await listContactsOfDeal(tx, id)
  await lockNamedForShare(tx, [], held)
  const deal = await lockDeal(tx, id)
  if (deal !== undefined) await lockFurtherForShare(tx, held, contactsOf(deal))
  return deal
}
