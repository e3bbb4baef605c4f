import { Type } from 'typebox'
import { idPattern } from '#kernel/ids.ts'
import { type ReferenceCheck, type StepQuestion, fact, stepTypeFor } from '#kernel/steps/step-type.ts'
import type { Contact } from '../contacts/public.ts'
import { findPipelineOfStage } from './pipeline-queries.ts'
import { findDeal, findNewestOpenDeal } from './queries.ts'
import { updateDeal } from './update-deal.ts'

const stageOfPipeline: ReferenceCheck = async ({ db }, id) =>
  (await findPipelineOfStage(db, id)) === undefined
    ? { level: 'error', message: 'is not a stage of a pipeline' }
    : undefined

/** The deal to move: the one that the event or the request names, or else the newest open one. Otherwise the reason to skip the step. */
async function dealToMove({ tx, person, idOf }: StepQuestion<Contact>, stageId: string | undefined) {
  const id = idOf('deal')
  const deal = await (id === undefined ? findNewestOpenDeal(tx, person.id) : findDeal(tx, id))
  if (deal === undefined) return 'no_deal'
  const pipeline = stageId === undefined ? undefined : await findPipelineOfStage(tx, stageId)
  return pipeline === undefined || pipeline.id === deal.pipeline_id ? deal : 'other_pipeline'
}

export const moveDealStep = stepTypeFor<Contact>()({
  type: 'move_deal',
  members: {
    stage_id: Type.Optional(Type.String({ pattern: idPattern })),
    status: Type.Optional(Type.Enum(['open', 'won', 'lost'])),
  },
  issues: (step) =>
    'stage_id' in step === 'status' in step
      ? [{ path: 'stage_id', message: 'must be given, or else status' }]
      : [],
  references: { stage_id: stageOfPipeline },
  async perform(scene, { stage_id, status }) {
    const deal = await dealToMove(scene, stage_id)
    if (typeof deal === 'string') return { fact: fact('skipped', deal) }
    const moved = await updateDeal(scene.ctx, deal.id, {
      ...(stage_id !== undefined && { stage_id }),
      ...(status !== undefined && { status }),
    })
    return { fact: fact('done', null, { deal_id: deal.id, stage_id: moved.stage_id }) }
  },
  async rehearse(question, { stage_id }) {
    const deal = await dealToMove(question, stage_id)
    return { fact: typeof deal === 'string' ? fact('skipped', deal) : fact('done', 'assumed') }
  },
})
