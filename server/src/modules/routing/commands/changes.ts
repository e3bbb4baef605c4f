import type { Rule, RuleSet } from '../rules/rule.ts'

type RuleName = Pick<Rule, 'id' | 'name'>

/** How a workspace's rules differ from those before them. */
export interface RuleChanges {
  added: RuleName[]
  changed: RuleName[]
  removed: RuleName[]
  default_changed: boolean
  /** Null where it is the same. */
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

/** The changes in words, a line a kind; none where nothing has changed. */
export function changeLines({ added, changed, removed, default_changed, timezone }: RuleChanges): string[] {
  const line = (what: string, rules: readonly RuleName[]) =>
    rules.length === 0 ? [] : [`${what}: ${rules.map(({ name }) => name).join(' · ')}`]
  return [
    ...line('Added', added),
    ...line('Changed', changed),
    ...line('Removed', removed),
    ...(default_changed ? ['Changed: the default rule'] : []),
    ...(timezone === null ? [] : [`Timezone: ${timezone.from} → ${timezone.to}`]),
  ]
}

/** The same in a few words. */
export function changeSummary({ added, changed, removed, default_changed, timezone }: RuleChanges): string {
  const count = (n: number, what: string) => (n === 0 ? [] : [`${n} ${what}`])
  const parts = [
    ...count(added.length, 'added'),
    ...count(changed.length, 'changed'),
    ...count(removed.length, 'removed'),
    ...(default_changed ? ['default rule changed'] : []),
    ...(timezone === null ? [] : ['timezone changed']),
  ]
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}
