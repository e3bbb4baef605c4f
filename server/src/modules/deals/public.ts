export { createDeal } from './create-deal.ts'
export { listPipelines } from './pipelines/queries.ts'
export { findDeal } from './queries.ts'
export { updateDeal } from './update-deal.ts'
