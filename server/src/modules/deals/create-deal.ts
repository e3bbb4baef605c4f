import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { dayIn } from '#kernel/timezones.ts'
import { lockNamedForShare } from '../contacts/public.ts'
import { findWorkspace } from '../workspaces/public.ts'
import { eventDataOf } from './announce.ts'
import { keyOnTop } from './board/order.ts'
import { shareStage } from './board/queries.ts'
import { chooseStage } from './choose-stage.ts'
import { requirePayees } from './commission/require-payees.ts'
import { settleCommission } from './commission/settle-commission.ts'
import { type DealRow, dealRecord } from './deal.ts'
import { DealCreated } from './events.ts'
import { partiesIn, contactsIn, requireNamed } from './named.ts'
import { insertDeal } from './queries.ts'
import type { DealDraft, StagedDeal } from './schemas.ts'

/**
 * Adds a deal at the top of its stage. Throws 404 for references that are unknown or out of reach, and 409 for an
 * erased contact. A deal added by a member with limited reach belongs to that member by default.
 */
export const createDeal = (ctx: Ctx, draft: DealDraft): Promise<StagedDeal> =>
  ctx.transaction(async (tx) => {
    const { contact_id: _, commission: given, ...fields } = draft
    const contact_ids = partiesIn(draft) ?? []
    const [requireContacts, { pipeline, stage, status }, workspace] = await Promise.all([
      lockNamedForShare(tx, contactsIn(draft)),
      chooseStage(tx, draft),
      findWorkspace(tx, tx.workspaceId).then(orNotFound),
      requireNamed(ctx, tx, draft),
    ])
    requireContacts()
    const currency = draft.currency ?? workspace.currency
    const sale = { price: draft.price ?? null, close_price: draft.close_price ?? null, currency }
    const commission = given === undefined ? null : settleCommission(given, sale)
    if (commission !== null) await requirePayees(tx, commission)
    shareStage(tx, stage.id)
    const now = ctx.clock.now()
    const created = dealRecord.create(
      { ...fields, contact_ids, currency, status, pipeline_id: pipeline.id, stage_id: stage.id },
      now,
    )
    const deal: DealRow = {
      ...created,
      type: draft.type ?? pipeline.deal_type ?? 'other',
      owner_id: draft.owner_id ?? (ctx.reach === 'all' ? null : (ctx.memberId ?? null)),
      stage_changed_at: created.created_at,
      order_key: await keyOnTop(tx, stage, created.id),
      commission,
      close_date: draft.close_date ?? (status === 'won' ? dayIn(workspace.timezone, now) : null),
      created_by: { type: ctx.actor.type, id: ctx.actor.id },
    }
    insertDeal(tx, deal)
    await tx.emit(DealCreated, eventDataOf(deal))
    return { ...deal, stage_probability: stage.probability }
  })
