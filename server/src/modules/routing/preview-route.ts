import type { Ctx } from '#kernel/context.ts'
import { compileRules } from './compile-rules.ts'
import { decideRoute, explain, previewReason, winnerOf } from './decide-route.ts'
import type { Considered, Decision, Facts } from './decision.ts'
import { loadAgents } from './load-agents.ts'
import { findRulesVersion } from './queries.ts'
import type { RuleSet } from './rule.ts'
import { compiledRulesOf } from './rules-of.ts'

export interface Preview {
  decision: Decision
  /** Every rule, in the order in which they are tried. */
  considered: Considered[]
  rulesVersion: number
}

/** Who would get a lead at this moment, by the rules that hold or by a draft of others. Writes nothing and waits for nobody. */
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
