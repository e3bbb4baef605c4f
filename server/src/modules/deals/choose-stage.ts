import type { Db } from '#kernel/db/handles.ts'
import { ReferenceNotFound, ValidationFailed } from '#kernel/errors.ts'
import type { DealRow, DealStatus } from './deal.ts'
import { PipelineArchived } from './errors.ts'
import { findDefaultPipeline, findPipeline, findPipelineOfStage } from './pipeline-queries.ts'
import type { PipelineWithStages } from './pipeline.ts'
import { type PipelineStage, firstStage } from './stage.ts'

/** What a request body says about a deal's stage and status. */
interface Wanted {
  pipeline_id?: string
  stage_id?: string
  status?: DealStatus
}

type Standing = Pick<DealRow, 'pipeline_id' | 'stage_id' | 'status'>

/** A deal's stage and status after a change. */
export interface ChosenStage {
  pipeline: PipelineWithStages
  stage: PipelineStage
  status: DealStatus
}

/**
 * Determines the stage of a new or changed deal; `before` is its current stage. Throws 404 for an unknown pipeline or
 * stage, 400 if stage, pipeline, and status contradict each other, and 409 if the deal would move into an archived
 * pipeline.
 */
export async function chooseStage(db: Db, wanted: Wanted, before?: Standing): Promise<ChosenStage> {
  const id = wanted.pipeline_id ?? before?.pipeline_id
  const pipeline = id === undefined ? await findDefaultPipeline(db) : await findPipeline(db, id)
  if (pipeline === undefined) throw ReferenceNotFound('pipeline_id')
  const named = pipeline.stages.find((stage) => stage.id === wanted.stage_id)
  if (wanted.stage_id !== undefined && named === undefined) throw await unfitStage(db, wanted.stage_id)
  const stays = before?.pipeline_id === pipeline.id
  if (!stays && pipeline.archived_at !== null) throw PipelineArchived()
  const current = stays ? pipeline.stages.find((stage) => stage.id === before.stage_id) : undefined
  const stage = named ?? stageOf(wanted.status, pipeline, current)
  const moved = stage.id !== before?.stage_id
  const kept = moved || before.status !== 'cancelled' ? stage.outcome : 'cancelled'
  const status = wanted.status ?? kept
  const contradicts = status === 'cancelled' ? before !== undefined && moved : status !== stage.outcome
  if (contradicts)
    throw ValidationFailed([
      {
        path: 'status',
        message: `contradicts the stage ${stage.name}: ${status === 'cancelled' ? 'a move ends it' : `its outcome is ${stage.outcome}`}`,
      },
    ])
  return { pipeline, stage, status }
}

/** The stage of a deal if the body does not name one. */
function stageOf(
  status: DealStatus | undefined,
  { stages }: PipelineWithStages,
  current?: PipelineStage,
): PipelineStage {
  const outcome = status === 'cancelled' ? undefined : status
  if (current !== undefined && (outcome ?? current.outcome) === current.outcome) return current
  return firstStage(stages, outcome ?? 'open')
}

async function unfitStage(db: Db, stageId: string) {
  const pipeline = await findPipelineOfStage(db, stageId)
  if (pipeline === undefined) return ReferenceNotFound('stage_id')
  const message = `belongs to the pipeline ${pipeline.name}; also send its pipeline_id`
  return ValidationFailed([{ path: 'stage_id', message }])
}
