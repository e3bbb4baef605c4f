import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed } from '#kernel/errors.ts'
import { lockStages } from '../board/queries.ts'
import { StageInUse } from '../errors.ts'
import { deleteStages, findPipelineOfStage, listUsedStages, saveStages } from '../pipeline-queries.ts'
import type { PipelinePatch } from '../pipeline.ts'
import { type PipelineStage, arrangeStages, firstStage } from '../stage.ts'
import { moveDeals } from './move-deals.ts'

/**
 * Replaces the stages with those of the patch, and returns the resulting stages. Deals of a removed stage move to
 * `move_to`. Throws 409 `stage_in_use` if there are such deals and no `move_to`, or if a stage that has deals changes
 * its outcome.
 */
export async function replaceStages(
  tx: Tx,
  pipelineId: string,
  before: PipelineStage[],
  { stages: drafts, version, move_to }: PipelinePatch,
): Promise<PipelineStage[]> {
  if (drafts !== undefined && version === undefined)
    throw ValidationFailed([{ path: 'version', message: 'is required with stages' }])
  const { stages, unknown } =
    drafts === undefined ? { stages: before, unknown: [] } : arrangeStages(drafts, before, tx.clock.now())
  await requireKnown(tx, unknown)
  const target = move_to === undefined ? undefined : await targetOf(tx, move_to, stages)
  if (drafts === undefined || isDeepStrictEqual(stages, before)) return before
  // Includes stages whose outcome changes, because the status of their deals follows from the outcome.
  const leaving = before.filter(
    ({ id, outcome }) => !stages.some((one) => one.id === id && one.outcome === outcome),
  )
  const removed = leaving.filter(({ id }) => !stages.some((one) => one.id === id))
  // A stage without visible deals may still have deleted ones. Without a fitting target, they move to the first stage
  // with the same outcome.
  const destinationOf = ({ outcome }: PipelineStage) =>
    target?.outcome === outcome ? target : firstStage(stages, outcome)
  lockStages(tx, ...leaving.flatMap((stage) => [stage.id, destinationOf(stage).id]))
  const used =
    leaving.length === 0
      ? []
      : await listUsedStages(
          tx,
          leaving.map(({ id }) => id),
        )
  const inUse = leaving.filter(({ id }) => used.includes(id))
  const stuck = inUse.filter((stage) => target === undefined || !removed.includes(stage))
  if (stuck.length > 0) throw StageInUse(stuck.map(({ name }) => name))
  const other = inUse.find(({ outcome }) => outcome !== target?.outcome)
  if (other !== undefined)
    throw ValidationFailed([
      { path: 'move_to', message: `must have the outcome of the stage ${other.name}: ${other.outcome}` },
    ])
  saveStages(tx, pipelineId, stages)
  for (const stage of leaving) await moveDeals(tx, stage, destinationOf(stage), [...before, ...stages])
  if (removed.length > 0)
    deleteStages(
      tx,
      pipelineId,
      removed.map(({ id }) => id),
    )
  return stages
}

/** Throws 404 for stages that the workspace does not have, and 400 for stages of other pipelines. */
export async function requireKnown(tx: Tx, unknown: readonly [path: string, id: string][]): Promise<void> {
  const pipelines = await Promise.all(unknown.map(([, id]) => findPipelineOfStage(tx, id)))
  const missing = unknown.filter((_, i) => pipelines[i] === undefined)
  if (missing.length > 0) throw ReferenceNotFound(...missing.map(([path]) => path))
  if (unknown.length > 0)
    throw ValidationFailed(unknown.map(([path]) => ({ path, message: 'is a stage of another pipeline' })))
}

async function targetOf(tx: Tx, id: string, stages: readonly PipelineStage[]): Promise<PipelineStage> {
  const target = stages.find((stage) => stage.id === id)
  if (target !== undefined) return target
  if ((await findPipelineOfStage(tx, id)) === undefined) throw ReferenceNotFound('move_to')
  throw ValidationFailed([{ path: 'move_to', message: 'must be a stage that the pipeline keeps' }])
}
