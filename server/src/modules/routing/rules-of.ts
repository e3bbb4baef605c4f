import type { Db } from '#kernel/db/tenant.ts'
import { type CompiledRules, compileRules } from './compile-rules.ts'
import { builtInRules } from './parse-rules.ts'
import { findRuleSet } from './queries.ts'
import type { RuleSet } from './rule.ts'

/** The rules of the workspace as they were in that version. Version 0 is of a workspace that has never set any. */
export async function ruleSetOf(db: Db, version: number): Promise<RuleSet> {
  if (version === 0) return builtInRules
  const row = await findRuleSet(db, version)
  if (row === undefined) throw new Error(`The rules have no version ${version}.`)
  return { version, timezone: row.timezone, rules: row.rules, default: row.default_rule }
}

const remembered = 100
const compiled = new Map<string, CompiledRules>()

/** The same, ready to decide by. A version never changes, so that it is compiled once and remembered for a while. */
export async function compiledRulesOf(db: Db, version: number): Promise<CompiledRules> {
  const key = `${version === 0 ? '' : db.workspaceId} ${version}`
  const rules = compiled.get(key) ?? compileRules(await ruleSetOf(db, version))
  compiled.delete(key)
  compiled.set(key, rules)
  const [oldest] = compiled.keys()
  if (compiled.size > remembered && oldest !== undefined) compiled.delete(oldest)
  return rules
}
