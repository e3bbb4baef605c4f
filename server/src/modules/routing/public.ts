export type { DecisionRow } from './decision-queries.ts'
export { findDecision, forgetFacts, listDecisions } from './decision-queries.ts'
export type { Decision, Facts } from './decision.ts'
export { previewRoute } from './preview-route.ts'
export {
  type Resumed,
  type Routed,
  decide,
  holdTurn,
  recordChoice,
  recordDecision,
  releaseLead,
  reopenLead,
} from './route.ts'
export { RoutingDecision, RoutingPreview, presentDecision, presentPreview } from './schemas.ts'
export { setAvailability } from './set-availability.ts'
export { draftRules, setRules } from './set-rules.ts'
