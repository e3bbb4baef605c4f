import type { RuleChanges, RuleName } from '../rules/rule-changes.ts'

/** Describes the changes, one line per kind; empty if nothing has changed. */
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

/** Summarizes the changes in a few words. */
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
