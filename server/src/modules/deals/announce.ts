import type { Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { DealRow } from './deal.ts'
import { DealCreated, DealStageChanged, DealUpdated } from './events.ts'
import { findPipelineOfStage } from './pipeline-queries.ts'
import type { PipelineStage } from './stage.ts'

/** The deal events that appear on the timelines of the deal's contacts. */
export const namesOnTimelines = [DealCreated, DealUpdated, DealStageChanged].map(({ name }) => name)

/** A deal in the form that its events carry. */
export const eventDataOf = (deal: DealRow) => ({ ...deal, contact_id: deal.contact_ids[0] ?? null })

/**
 * Publishes `deal.stage_changed`. `stages` are the stages already loaded; the deal's current stage must be among them.
 */
export async function announceMove(
  tx: Tx,
  before: DealRow,
  after: DealRow,
  { stages }: { stages: readonly PipelineStage[] },
): Promise<void> {
  const named = ({ id, name }: PipelineStage) => ({ id, name })
  const isFrom = ({ id }: PipelineStage) => id === before.stage_id
  const from =
    stages.find(isFrom) ?? orNotFound((await findPipelineOfStage(tx, before.stage_id))?.stages.find(isFrom))
  const to = orNotFound(stages.find(({ id }) => id === after.stage_id))
  const { name, ...data } = eventDataOf(after)
  await tx.emit(DealStageChanged, {
    ...data,
    ...(name === null ? {} : { name }),
    from_stage: named(from),
    to_stage: named(to),
  })
}
