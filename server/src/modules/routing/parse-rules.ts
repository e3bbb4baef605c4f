import { isDeepStrictEqual } from 'node:util'
import { defineError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { readRules } from './read-rules.ts'
import type { DefaultDraft, RuleDraft, RulesDocument } from './rule-schema.ts'
import { type Pool, type Rule, type RuleSet, weekdays } from './rule.ts'

const defaultTimezone = 'America/New_York'

/** What a rule is where its document says nothing. */
const unsaid = {
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

const nobody: Pool = { members: [], team_id: null, office_id: null, role: null, everyone: false }

/** The rules of a workspace that has never said anything: everybody in turn, and whoever has the contact before all. */
export const builtInRules: RuleSet = {
  version: 0,
  timezone: defaultTimezone,
  rules: [],
  default: {
    ...unsaid,
    id: 'default',
    version: 1,
    name: 'Everybody in turn',
    priority: 10_000,
    method: 'round_robin',
    pool: { ...nobody, everyone: true },
    sticky: { existing_owner: true },
  },
}

/** The rules were replaced after the document was made from them. */
const RulesChanged = defineError('conflict', 409, (version: number) => ({
  message: `The rules have been changed meanwhile: they have version ${version} now.`,
}))

/**
 * The rules that a document puts in place of others. Throws ValidationFailed with every fault, and RulesChanged where it
 * was made from other rules than `previous`. A rule is known again by its id or else by its name; if anything in it is
 * another its version grows, and one that is not known begins with a new id and version 1. Whether members, teams and
 * offices exist is for the caller to find out: `referencesOf`.
 */
export function parseRules(input: unknown, previous: RuleSet, at: Date): RuleSet {
  const document = readRules(input)
  if (document.version !== undefined && document.version !== previous.version) {
    throw RulesChanged(previous.version)
  }
  const { timezone = defaultTimezone, default: fallback } = document
  const known = recognised(document.rules, previous.rules)
  const rules = document.rules.map((draft, i) => versioned(ruleOf(draft, timezone), known[i], at))
  return {
    version: previous.version + 1,
    timezone,
    rules: rules.sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1)),
    default: versioned(defaultOf(fallback), previous.default, at),
  }
}

/** Which of the rules before each draft is: the one of its id; else the one of its name that no other draft is by its id. */
function recognised(drafts: readonly RuleDraft[], before: readonly Rule[]): (Rule | undefined)[] {
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
  enabled: draft.enabled ?? unsaid.enabled,
  priority: draft.priority ?? unsaid.priority,
  conditions: draft.conditions ?? unsaid.conditions,
  schedule: scheduleOf(draft.schedule, timezone),
})

function defaultOf(draft: DefaultDraft | undefined): Content {
  if (draft === undefined) {
    const { id: _, version: __, ...content } = builtInRules.default
    return content
  }
  const { priority } = builtInRules.default
  return { ...unsaid, ...choiceOf(draft), name: draft.name?.trim() ?? 'Default rule', priority }
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
  pool: { ...nobody, ...pool, members: distinct(pool.members ?? []) },
  weights: weights ?? unsaid.weights,
  caps: { ...unsaid.caps, ...caps },
  sticky: { ...unsaid.sticky, ...sticky },
  claim_seconds: claim_seconds ?? unsaid.claim_seconds,
  on_match: { tags: distinct(on_match?.tags ?? []) },
  fallback: fallback ?? unsaid.fallback,
})

function scheduleOf(draft: RuleDraft['schedule'], timezone: string): Rule['schedule'] {
  if (draft === undefined || draft === null) return null
  const { days = weekdays, from, to, outside = 'skip' } = draft
  const inOrder = weekdays.filter((day) => days.includes(day))
  return { days: inOrder, from, to, timezone: draft.timezone ?? timezone, outside }
}

const distinct = (texts: readonly string[]) => [...new Set(texts)]

/** The document that puts these rules in force, without what goes without saying. */
export const exportRules = ({ version, timezone, default: fallback, rules }: RuleSet): RulesDocument => ({
  version,
  timezone,
  default: { name: fallback.name, ...exportedChoice(fallback) },
  rules: rules.map((rule) => {
    const { id, name, enabled, priority, conditions, schedule } = rule
    return {
      id,
      name,
      ...without(unsaid, { enabled, priority, conditions, schedule }),
      ...exportedChoice(rule),
    }
  }),
})

const exportedChoice = ({ method, pool, ...rule }: Rule) => {
  const { weights, caps, sticky, claim_seconds, on_match, fallback } = rule
  return {
    method,
    pool: without(nobody, pool),
    ...without(unsaid, { weights, sticky, claim_seconds, on_match, fallback }),
    ...without({ caps: {} }, { caps: without(unsaid.caps, caps) }),
  }
}

/** Leaves out what is as it would be unsaid. */
const without = <T extends object>(unsaidOf: Partial<T>, said: T) =>
  Object.fromEntries(
    Object.entries(said).filter(([name, value]) => !isDeepStrictEqual(value, Reflect.get(unsaidOf, name))),
  ) as Partial<T>
