export { findAgent, listWorkingAgents } from './agent-queries.ts'
export { type DecisionRow, findDecision, forgetFacts, listDecisions } from './decision-queries.ts'

export type { Decision } from './decide/decision.ts'
export type { Facts } from './rules/facts.ts'
export { previewRoute } from './preview-route.ts'
export {
  type Resumed,
  type Routed,
  decide,
  isInPool,
  recordChoice,
  recordDecision,
  releaseLead,
  reopenLead,
} from './route.ts'
export { findRulesVersion, lockRouting } from './rule-set-queries.ts'
export { currentRules } from './load-rules.ts'
export type { Hours } from './rules/rule.ts'
export { RoutingDecision, RoutingPreview, presentDecision, presentPreview } from './schemas.ts'
export { setAvailability } from './set-availability.ts'
export { draftRules, setRules } from './set-rules.ts'
export { RulesDocument } from './rules/rule-schema.ts'
export { Shift } from './agent.ts'
