import type { Ctx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import { decideRoute, explain, previewReason, winnerOf } from './decide/decide-route.ts'
import type { Considered, Decision } from './decide/decision.ts'
import type { DecisionRow } from './decision-queries.ts'
import { loadAgents } from './load-agents.ts'
import { compiledRulesOf } from './load-rules.ts'
import { findRulesVersion } from './rule-set-queries.ts'
import { compileRules } from './rules/compile-rules.ts'
import type { Facts } from './rules/facts.ts'
import type { RuleSet } from './rules/rule.ts'

export interface Preview {
  decision: Decision
  /** Every rule, in the order in which the rules are tried. */
  considered: Considered[]
  rulesVersion: number
}

/** Decides who would get a lead now, by the current rules or by a draft. Writes nothing and takes no lock. */
export async function previewRoute({ db, clock }: Ctx, facts: Facts, draft?: RuleSet): Promise<Preview> {
  const at = clock.now()
  const rules =
    draft === undefined ? await compiledRulesOf(db, await findRulesVersion(db)) : compileRules(draft)
  const state = await loadAgents(db, winnerOf(rules, facts, at), facts, at)
  const decision = decideRoute({ facts, rules, ...state, at })
  return {
    decision: { ...decision, reason: previewReason(decision) },
    considered: explain(rules, facts, at),
    rulesVersion: rules.set.version,
  }
}

/**
 * Returns the rules that a decision considered, with their failing conditions, computed from the stored facts and the stored version
 * of the rules. Empty if a person decided, and after an erasure, which deletes the facts.
 */
export async function explainDecision(
  db: Db,
  { facts, rules_version, created_at }: DecisionRow,
): Promise<Considered[]> {
  if (facts === null) return []
  return explain(await compiledRulesOf(db, rules_version), facts, new Date(created_at))
}
