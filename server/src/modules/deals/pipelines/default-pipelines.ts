import type { Tx } from '#kernel/context.ts'
import { insertPipeline } from '../pipeline-queries.ts'
import { pipelineRecord } from '../pipeline.ts'
import { type StageDraft, arrangeStages } from '../stage.ts'

const stagesOf = (open: Record<string, number>, won = 'Closed'): StageDraft[] => [
  ...Object.entries(open).map(([name, probability]) => ({ name, probability, outcome: 'open' as const })),
  { name: won, outcome: 'won' },
  { name: 'Lost', outcome: 'lost' },
]

const newPipelines = [
  {
    name: 'Buyers',
    deal_type: 'buyer' as const,
    is_default: true,
    stages: stagesOf({ New: 10, Consultation: 20, Touring: 40, Offer: 60, 'Under contract': 85 }),
  },
  {
    name: 'Sellers',
    deal_type: 'seller' as const,
    stages: stagesOf({
      New: 10,
      'Listing appointment': 25,
      'Listing agreement': 50,
      Active: 60,
      'Under contract': 85,
    }),
  },
  {
    name: 'Rentals',
    deal_type: 'tenant' as const,
    stages: stagesOf({ New: 10, Touring: 40, Application: 60, 'Lease signing': 85 }, 'Leased'),
  },
]

/**
 * Adds the default pipelines of a new workspace. They have no events of their own; `workspace.created` implies them.
 */
export function insertDefaultPipelines(tx: Tx): void {
  const at = tx.clock.now()
  for (const [order_weight, { stages, ...draft }] of newPipelines.entries())
    insertPipeline(tx, {
      ...pipelineRecord.create({ ...draft, order_weight }, at),
      stages: arrangeStages(stages, [], at).stages,
    })
}
