export type { DecisionRow } from './decision-queries.ts'
export type { Replayed } from './backtest.ts'
export { countDecisionsAfter } from './backtest-queries.ts'
export { type BacktestTally, openTally } from './backtest-tally.ts'
export { findDecision, forgetFacts, listDecisions } from './decision-queries.ts'
export type { Considered, Decision, Facts } from './decision.ts'
export { numberOf } from './operators.ts'
export { exportRules } from './parse-rules.ts'
export { type Preview, previewRoute } from './preview-route.ts'
export {
  type AvailabilityRow,
  type RuleSetRow,
  findRuleSet,
  findRulesVersion,
  listAvailability,
} from './queries.ts'
export { replayDecisions } from './replay-decisions.ts'
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
export { RulesDocument } from './rule-schema.ts'
export type { Condition, Fallback, Hours, Pool, Rule, RuleSet } from './rule.ts'
export { ruleSetOf } from './rules-of.ts'
export { RoutingDecision, RoutingPreview, presentDecision, presentPreview } from './schemas.ts'
export { setAvailability } from './set-availability.ts'
export { draftRules, setRules } from './set-rules.ts'
