export type { DecisionRow } from './decision-queries.ts'
export { findDecision, forgetFacts, listDecisions } from './decision-queries.ts'
export type { Decision, Facts } from './decision.ts'
export { numberOf } from './operators.ts'
export { previewRoute } from './preview-route.ts'
export { findRulesVersion } from './queries.ts'
export {
  type Resumed,
  type Routed,
  decide,
  holdTurn,
  isInPool,
  recordChoice,
  recordDecision,
  releaseLead,
  reopenLead,
} from './route.ts'
export { RoutingDecision, RoutingPreview, presentDecision, presentPreview } from './schemas.ts'
export { setAvailability } from './set-availability.ts'
export { draftRules, setRules } from './set-rules.ts'
