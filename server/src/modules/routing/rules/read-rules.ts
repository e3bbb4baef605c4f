import { isObject } from '#kernel/conditions/condition.ts'
import { type Schema, schemaIssues } from '#kernel/conditions/schema-issues.ts'
import { type Issue, ValidationFailed, maxIssues } from '#kernel/errors.ts'
import { textIssue } from '#kernel/http/text.ts'
import { timezoneIssues } from '#kernel/timezones.ts'
import { conditionIssues } from './condition-issues.ts'
import { type ValidParts, ruleIssues } from './rule-issues.ts'
import { RulesDocument } from './rule-schema.ts'

/** Validates a document of rules. Throws `ValidationFailed` with the issues and their paths, up to the number that a response lists. */
export function readRules(input: unknown): RulesDocument {
  const unclean = textIssue(input)
  const issues = unclean === undefined ? documentIssues(input) : [unclean]
  if (issues.length > 0) throw ValidationFailed(issues)
  return input as RulesDocument
}

const schema = RulesDocument as object as Schema

/** Finds issues with the shape, then issues between members whose shape is valid. */
function documentIssues(input: unknown): Issue[] {
  const shapeIssues = schemaIssues(schema, input, '', (_, condition, path) =>
    conditionIssues(condition, path),
  )
    .map(inWords)
    .take(maxIssues)
    .toArray()
  if (!isObject(input) || shapeIssues.length === maxIssues) return shapeIssues
  const places = new Set(shapeIssues.flatMap(({ path }) => withAncestors(path)))
  const others = issuesBetween(input, places).take(maxIssues - shapeIssues.length)
  return [...shapeIssues, ...others]
}

function* issuesBetween(input: Record<string, unknown>, places: ReadonlySet<string>): Generator<Issue> {
  const timezone = places.has('timezone') ? undefined : input['timezone']
  if (typeof timezone === 'string') yield* timezoneIssues(timezone, 'timezone')
  const rules = rulesIn(input).map(([path, rule]) => ({ path, rule: validPartsOf(rule, `${path}.`, places) }))
  for (const { rule, path } of rules) yield* ruleIssues(rule, path)
  const drafts = rules.filter(({ path }) => path !== 'default')
  yield* repetitions(drafts.map(({ rule, path }) => ({ path: `${path}.id`, text: rule.id })))
  yield* repetitions(drafts.map(({ rule, path }) => ({ path: `${path}.name`, text: rule.name?.trim() })))
}

/** The rules in an unchecked document, with their paths. */
function rulesIn({ default: fallback, rules }: Record<string, unknown>): [string, object][] {
  const all: [string, unknown][] = [['default', fallback]]
  if (Array.isArray(rules))
    for (const [i, rule] of rules.slice(0, maxRules).entries()) all.push([`rules.${i}`, rule])
  return all.flatMap(([path, rule]) => (isObject(rule) ? [[path, { fallback: [], ...rule }]] : []))
}

const maxRules = 1000

/** `rules.3.pool.role`, `rules.3.pool`, `rules.3`, `rules`. */
function withAncestors(path: string): string[] {
  const parts = path.split('.')
  return parts.map((_, i) => parts.slice(0, i + 1).join('.'))
}

/** Drops the invalid members of a rule, so that one issue does not cause others. */
const validPartsOf = (value: object, before: string, places: ReadonlySet<string>): ValidParts =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, places.has(before + name) ? undefined : member]),
  )

/** One issue for each repetition of a text. */
function repetitions(all: readonly { path: string; text: string | undefined }[]): Issue[] {
  const first = new Map<string, string>()
  return all.flatMap(({ path, text }) => {
    if (text === undefined) return []
    const before = first.get(text)
    if (before === undefined) first.set(text, path)
    return before === undefined ? [] : [{ path, message: `is the same as ${before}` }]
  })
}

const ofRulesOnly = /^default\.(conditions|schedule|enabled|priority)$/

const inWords = (issue: Issue): Issue =>
  ofRulesOnly.test(issue.path)
    ? {
        ...issue,
        message: 'is not allowed in the default rule, which takes every lead that no other rule matches',
      }
    : issue
