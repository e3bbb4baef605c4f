import type { Rule, RuleSet } from './rule.ts'

/** `id` is null for a rule that is not stored yet. */
export interface RuleName {
  id: string | null
  name: string
}

/** How a rule set differs from the one before it. */
export interface RuleChanges {
  added: RuleName[]
  changed: RuleName[]
  removed: RuleName[]
  default_changed: boolean
  /** Null if it is unchanged. */
  timezone: { from: string; to: string } | null
}

export function changesBetween(before: RuleSet, after: RuleSet): RuleChanges {
  const old = new Map(before.rules.map((rule) => [rule.id, rule]))
  const kept = new Set(after.rules.map(({ id }) => id))
  return {
    added: after.rules.filter(({ id }) => !old.has(id)).map(nameOf),
    changed: after.rules
      .filter(({ id, version }) => (old.get(id)?.version ?? version) !== version)
      .map(nameOf),
    removed: before.rules.filter(({ id }) => !kept.has(id)).map(nameOf),
    default_changed: before.default.version !== after.default.version,
    timezone: before.timezone === after.timezone ? null : { from: before.timezone, to: after.timezone },
  }
}

const nameOf = ({ id, name }: Rule): RuleName => ({ id, name })
