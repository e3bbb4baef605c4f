import { isDeepStrictEqual } from 'node:util'
import { defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { DefaultDraft, RuleDraft, RulesDocument } from './rule-schema.ts'
import { type Pool, type Rule, type RuleSet, weekdays } from './rule.ts'

const defaultTimezone = 'America/New_York'

/** Default values of a rule's fields. */
const defaults = {
  enabled: true,
  priority: 100,
  conditions: { all: [] },
  schedule: null,
  weights: {},
  caps: { open: null, per_hour: null, per_day: null },
  sticky: { existing_owner: false },
  claim_seconds: 300,
  on_match: { tags: [] },
  fallback: [],
} satisfies Partial<Rule>

const emptyPool: Pool = { members: [], team_id: null, office_id: null, role: null, everyone: false }

/** The rules of a workspace that never set any: round robin among all members, with contact owners first. */
export const builtInRules: RuleSet = {
  version: 0,
  timezone: defaultTimezone,
  rules: [],
  default: {
    ...defaults,
    id: 'default',
    version: 1,
    name: 'Round robin',
    priority: 10_000,
    method: 'round_robin',
    pool: { ...emptyPool, everyone: true },
    sticky: { existing_owner: true },
  },
}

/** The rules have changed since the version that the document names. */
const RulesChanged = defineError('conflict', 409, (version: number) => ({
  message: `The rules have changed in the meantime. The current version is ${version}.`,
}))

/**
 * Returns the rule set that a document replaces `previous` with. Throws `RulesChanged` if the document names a version other than that
 * of `previous`. Matches rules by id, then by name: a changed rule gets the next version, a new rule gets an id and version 1. The
 * caller must have checked the document with `readRules`, and that members, teams, and offices exist; see `referencesOf`.
 */
export function parseRules(document: RulesDocument, previous: RuleSet, at: Date): RuleSet {
  if (document.version !== undefined && document.version !== previous.version) {
    throw RulesChanged(previous.version)
  }
  const { timezone = defaultTimezone, default: fallback } = document
  const known = matchExisting(document.rules, previous.rules)
  const rules = document.rules.map((draft, i) => versioned(ruleOf(draft, timezone), known[i], at))
  return {
    version: previous.version + 1,
    timezone,
    rules: rules.sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1)),
    default: versioned(defaultOf(fallback), previous.default, at),
  }
}

/** Finds each draft's previous rule: by id, else by name unless some draft names that rule's id. */
function matchExisting(drafts: readonly RuleDraft[], before: readonly Rule[]): (Rule | undefined)[] {
  const taken = new Set(drafts.map(({ id }) => id))
  const byId = new Map(before.map((rule) => [rule.id, rule]))
  const byName = new Map(before.filter(({ id }) => !taken.has(id)).map((rule) => [rule.name, rule]))
  return drafts.map(({ id = '', name }) => byId.get(id) ?? byName.get(name.trim()))
}

type Content = Omit<Rule, 'id' | 'version'>

function versioned(content: Content, before: Rule | undefined, at: Date): Rule {
  if (before === undefined) return { id: newId(at), version: 1, ...content }
  const { id, version } = before
  const same = { id, version, ...content }
  return isDeepStrictEqual(same, before) ? same : { ...same, version: version + 1 }
}

const ruleOf = (draft: RuleDraft, timezone: string): Content => ({
  ...choiceOf(draft),
  name: draft.name.trim(),
  enabled: draft.enabled ?? defaults.enabled,
  priority: draft.priority ?? defaults.priority,
  conditions: draft.conditions ?? defaults.conditions,
  schedule: scheduleOf(draft.schedule, timezone),
})

function defaultOf(draft: DefaultDraft | undefined): Content {
  if (draft === undefined) {
    const { id: _, version: __, ...content } = builtInRules.default
    return content
  }
  const { priority } = builtInRules.default
  return { ...defaults, ...choiceOf(draft), name: draft.name?.trim() ?? 'Default rule', priority }
}

const choiceOf = ({
  method,
  pool,
  weights,
  caps,
  sticky,
  claim_seconds,
  on_match,
  fallback,
}: Omit<DefaultDraft, 'id' | 'name'>) => ({
  method,
  pool: { ...emptyPool, ...pool, members: distinct(pool.members ?? []) },
  weights: weights ?? defaults.weights,
  caps: { ...defaults.caps, ...caps },
  sticky: { ...defaults.sticky, ...sticky },
  claim_seconds: claim_seconds ?? defaults.claim_seconds,
  on_match: { tags: distinct(on_match?.tags ?? []) },
  fallback: fallback ?? defaults.fallback,
})

function scheduleOf(draft: RuleDraft['schedule'], timezone: string): Rule['schedule'] {
  if (draft === undefined || draft === null) return null
  const { days = weekdays, from, to, outside = 'skip' } = draft
  const inOrder = weekdays.filter((day) => days.includes(day))
  return { days: inOrder, from, to, timezone: draft.timezone ?? timezone, outside }
}

const distinct = (texts: readonly string[]) => [...new Set(texts)]

/** Exports rules as a document, without default values. */
export const exportRules = ({ version, timezone, default: fallback, rules }: RuleSet): RulesDocument => ({
  version,
  timezone,
  default: { name: fallback.name, ...exportedChoice(fallback) },
  rules: rules.map((rule) => {
    const { id, name, enabled, priority, conditions, schedule } = rule
    return {
      id,
      name,
      ...without(defaults, { enabled, priority, conditions, schedule }),
      ...exportedChoice(rule),
    }
  }),
})

const exportedChoice = ({ method, pool, ...rule }: Rule) => {
  const { weights, caps, sticky, claim_seconds, on_match, fallback } = rule
  return {
    method,
    pool: without(emptyPool, pool),
    ...without(defaults, { weights, sticky, claim_seconds, on_match, fallback }),
    ...without({ caps: {} }, { caps: without(defaults.caps, caps) }),
  }
}

/** Omits members that have their default values. */
const without = <T extends object>(defaultsOf: Partial<T>, said: T) =>
  Object.fromEntries(
    Object.entries(said).filter(([name, value]) => !isDeepStrictEqual(value, Reflect.get(defaultsOf, name))),
  ) as Partial<T>
