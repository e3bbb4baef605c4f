import type { Db } from '#kernel/db/handles.ts'
import { type RuleSetRow, findRuleSet, findRulesVersion } from './rule-set-queries.ts'
import { type CompiledRules, compileRules } from './rules/compile-rules.ts'
import { builtInRules } from './rules/parse-rules.ts'
import type { RuleSet } from './rules/rule.ts'

/** Loads a version of the workspace's rules. Version 0 is the built-in rules. */
export async function ruleSetOf(db: Db, version: number): Promise<RuleSet> {
  if (version === 0) return builtInRules
  const row = await findRuleSet(db, version)
  if (row === undefined) throw new Error(`The rules have no version ${version}.`)
  return ruleSetIn(row)
}

export const currentRules = async (db: Db): Promise<RuleSet> => ruleSetOf(db, await findRulesVersion(db))

export const ruleSetIn = ({ version, timezone, rules, default_rule }: RuleSetRow): RuleSet => ({
  version,
  timezone,
  rules,
  default: default_rule,
})

const remembered = 100
const compiled = new Map<string, CompiledRules>()

/** Like `ruleSetOf`, but compiled. Versions never change, so an LRU cache holds the last 100 compiled rule sets. */
export async function compiledRulesOf(db: Db, version: number): Promise<CompiledRules> {
  const key = `${version === 0 ? '' : db.workspaceId} ${version}`
  const rules = compiled.get(key) ?? compileRules(await ruleSetOf(db, version))
  compiled.delete(key)
  compiled.set(key, rules)
  const [oldest] = compiled.keys()
  if (compiled.size > remembered && oldest !== undefined) compiled.delete(oldest)
  return rules
}
