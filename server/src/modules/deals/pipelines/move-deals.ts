import { generateNKeysBetween } from 'fractional-indexing'
import type { Tx } from '#kernel/context.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { announceMove } from '../announce.ts'
import { findLast, lockDealsIn, moveToStage } from '../board/queries.ts'
import { StageInUse } from '../errors.ts'
import type { PipelineStage } from '../stage.ts'

/** The maximum number of deals that move in one transaction, with one event each. */
const mostDeals = 10_000

/**
 * Moves all deals of a stage, including deleted ones, to the end of another stage with the same outcome, and keeps
 * their order. The caller must hold the locks of both stages. `stages` are the stages before and after the change, for
 * their names. Throws 409 `stage_in_use` if there are too many deals.
 */
export async function moveDeals(
  tx: Tx,
  from: PipelineStage,
  to: PipelineStage,
  stages: readonly PipelineStage[],
): Promise<void> {
  const all = tx.unrestricted()
  const deals = await lockDealsIn(all, from.id, mostDeals + 1)
  if (deals.length === 0) return
  if (deals.length > mostDeals) throw StageInUse([from.name])
  const sorted = deals.toSorted((a, b) => (a.order_key < b.order_key ? -1 : 1))
  const keys = generateNKeysBetween((await findLast(all, to.id))?.order_key ?? null, null, sorted.length)
  const now = tx.clock.now()
  const moved = sorted.map((deal, i) => ({
    ...deal,
    stage_id: to.id,
    stage_changed_at: now.toISOString(),
    order_key: keys[i] ?? '',
    updated_at: timeAfter(deal.updated_at, now),
  }))
  moveToStage(all, moved)
  for (const [i, after] of moved.entries()) {
    const before = sorted[i]
    if (before?.deleted_at === null) await announceMove(all, before, after, { stages })
  }
}
