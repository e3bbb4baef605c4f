import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { addToTimelines } from '#kernel/events/journal.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { changesOf } from '#kernel/records/changes.ts'
import { retainWithheld } from '#kernel/references.ts'
import { dayIn } from '#kernel/timezones.ts'
import { lockFurtherForShare, lockNamedForShare } from '../contacts/public.ts'
import { findWorkspace } from '../workspaces/public.ts'
import { announceMove, eventDataOf, namesOnTimelines } from './announce.ts'
import { keyFor } from './board/order.ts'
import { lockStages } from './board/queries.ts'
import { type ChosenStage, chooseStage } from './choose-stage.ts'
import { requirePayees } from './commission/require-payees.ts'
import { draftOf, settleCommission } from './commission/settle-commission.ts'
import { type DealRow, contactsOf, dealFields, dealRecord } from './deal.ts'
import { DealReordered, DealUpdated } from './events.ts'
import { partiesIn, contactsIn, requireNamed } from './named.ts'
import { findDeal, lockDeal, saveDeal } from './queries.ts'
import type { DealPatch, StagedDeal } from './schemas.ts'

/**
 * Applies the patch. Publishes `deal.stage_changed` if the deal changes stages, `deal.reordered` if it only changes its
 * position, one `deal.updated` for everything else, and nothing if nothing changes.
 */
export const updateDeal = (ctx: Ctx, id: string, patch: DealPatch): Promise<StagedDeal> =>
  ctx.transaction(async (tx) => {
    const { contact_id: _, commission: __, place, ...given } = patch
    const contact_ids = partiesIn(patch)
    const known = orNotFound(await findDeal(tx, id))
    const requireContacts = await lockNamedForShare(tx, contactsIn(patch), contactsOf(known))
    // Lock stages before deals, so that a stage can be renumbered while other transactions wait for it.
    const seen = await chooseStage(tx, patch, known)
    const moves = patch.stage_id ?? patch.pipeline_id ?? patch.status ?? place
    if (moves !== undefined) lockStages(tx, seen.stage.id)
    const before = requireMatch(ctx, visible(await lockDeal(tx, id)))
    requireContacts(contactsOf(before))
    await lockFurtherForShare(tx, contactsOf(known), contactsOf(before))
    await requireNamed(ctx, tx, patch, before)
    const choice = await chooseStage(tx, patch, before)
    const moved = choice.stage.id !== before.stage_id
    if (choice.stage.id !== seen.stage.id) lockStages(tx, choice.stage.id)
    const now = ctx.clock.now()
    const won = choice.status === 'won' && before.status !== 'won'
    const patched = dealRecord.applyPatch(
      before,
      {
        ...(await retainWithheld(ctx, tx, {
          schema: dealRecord.Patch,
          patch: { ...given, ...(contact_ids && { contact_ids }) },
          before,
        })),
        pipeline_id: choice.pipeline.id,
        stage_id: choice.stage.id,
        status: choice.status,
        ...(moved || place !== undefined ? { order_key: await keyFor(tx, choice.stage, place, before) } : {}),
        ...(moved ? { stage_changed_at: now.toISOString() } : {}),
        ...(won && (patch.close_date ?? (patch.close_date === null ? null : before.close_date)) === null
          ? { close_date: await today(tx) }
          : {}),
        commission: await commissionOf(tx, before, patch, choice),
      },
      now,
    )
    const staged = { stage_probability: choice.stage.probability }
    if (patched === undefined) return { ...before, ...staged }
    const { after, changed } = patched
    saveDeal(tx.unrestricted(), after, changed)
    const joined = after.contact_ids.filter((one) => !before.contact_ids.includes(one))
    if (joined.length > 0) addToTimelines(tx, { subject: 'deal', ids: [id], names: namesOnTimelines }, joined)
    await emitChanges(tx.unrestricted(), before, after, choice)
    return { ...after, ...staged }
  })

const visible = (deal: DealRow | undefined) => orNotFound(deal?.deleted_at === null ? deal : undefined)

const today = async (tx: Tx) =>
  dayIn(orNotFound(await findWorkspace(tx, tx.workspaceId)).timezone, tx.clock.now())

/**
 * The commission after the patch: the one it sends, or a recomputed one. A deal that was already won keeps its
 * commission unless its currency changes.
 */
async function commissionOf(tx: Tx, before: DealRow, patch: DealPatch, { status }: ChosenStage) {
  const sale = { ...before, ...patch }
  if (patch.commission !== undefined && patch.commission !== null) {
    const commission = settleCommission(patch.commission, sale)
    await requirePayees(tx, commission, before.commission)
    return commission
  }
  if (patch.commission === null || before.commission === null) return null
  const frozen = before.status === 'won' && status === 'won' && sale.currency === before.currency
  return frozen ? before.commission : settleCommission(draftOf(before.commission), sale)
}

const unnamed = new Set(['stage_changed_at', 'order_key', 'created_by', 'deleted_at'])
const detailNames = (Object.keys(dealFields) as (keyof typeof dealFields)[]).filter(
  (name) => !unnamed.has(name),
)
const ofMoves = new Set<string>(['pipeline_id', 'stage_id', 'status'])

async function emitChanges(tx: Tx, before: DealRow, after: DealRow, choice: ChosenStage): Promise<void> {
  const moved = before.stage_id !== after.stage_id
  if (moved) await announceMove(tx, before, after, choice.pipeline)
  else if (before.order_key !== after.order_key) await tx.emit(DealReordered, after)
  const names = detailNames.filter((name) => !moved || !ofMoves.has(name))
  const changes = changesOf(dealRecord, names, before, after)
  if (changes.length > 0) await tx.emit(DealUpdated, { ...eventDataOf(after), changes })
}
