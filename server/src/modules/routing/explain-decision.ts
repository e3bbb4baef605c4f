import type { Db } from '#kernel/db/tenant.ts'
import { explain } from './decide-route.ts'
import type { DecisionRow } from './decision-queries.ts'
import type { Considered } from './decision.ts'
import { compiledRulesOf } from './rules-of.ts'

/**
 * Which rules a decision went through, and on what they failed. It follows from what was known of the lead and from the
 * rules of then, both of which are kept; after an erasure nothing is known any more, and nothing follows.
 */
export async function explainDecision(
  db: Db,
  { facts, rules_version, created_at }: DecisionRow,
): Promise<Considered[]> {
  if (facts === null) return []
  return explain(await compiledRulesOf(db, rules_version), facts, new Date(created_at))
}
