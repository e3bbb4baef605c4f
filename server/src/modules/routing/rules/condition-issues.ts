import type { Issue } from '#kernel/errors.ts'
import { unknownName } from '#kernel/http/validation.ts'
import { stages } from '../../contacts/public.ts'
import { isObject } from './condition.ts'
import { foldText } from './operators.ts'
import { timePattern } from './rule-schema.ts'
import { type Operator, ruleFields, operators } from './rule.ts'

const maxDepth = 8
const maxTests = 100
const maxListItems = 1000
const maxTextLength = 200

/** The issues of a condition, with their paths, found as they are asked for. */
export function* conditionIssues(condition: unknown, path: string): Generator<Issue> {
  const tests = countTests(condition, 1)
  if (tests > maxTests) yield { path, message: `must have at most ${maxTests} tests; it has ${tests}` }
  yield* issuesIn(condition, path, 1)
}

const groups = ['all', 'any', 'none'] as const
const groupIn = (condition: Record<string, unknown>) => groups.find((name) => Object.hasOwn(condition, name))

function countTests(condition: unknown, depth: number): number {
  if (!isObject(condition) || depth > maxDepth) return 0
  const group = groupIn(condition)
  const parts = group === undefined ? undefined : condition[group]
  if (group === undefined) return 1
  return Array.isArray(parts) ? parts.reduce((sum, part) => sum + countTests(part, depth + 1), 0) : 0
}

function* issuesIn(condition: unknown, path: string, depth: number): Generator<Issue> {
  if (!isObject(condition)) return yield { path, message: 'must be object' }
  const group = groupIn(condition)
  if (group === undefined) return yield* testIssues(condition, path)
  if (depth > maxDepth) return yield { path, message: `is nested more than ${maxDepth} levels deep` }
  for (const name of Object.keys(condition))
    if (name !== group) yield { path: `${path}.${name}`, message: `is not allowed beside ${group}` }
  const parts = condition[group]
  const inside = `${path}.${group}`
  if (!Array.isArray(parts)) return yield { path: inside, message: 'must be array' }
  if (parts.length === 0 && (group !== 'all' || depth > 1))
    yield { path: inside, message: 'must not be empty' }
  for (const [i, part] of parts.entries()) yield* issuesIn(part, `${inside}.${i}`, depth + 1)
}

/** The type of a field's value. */
type Kind = 'text' | 'list' | 'number' | 'truth' | 'time' | 'anything'

const kinds: Record<(typeof ruleFields)[number], Kind> = {
  source: 'text',
  stage: 'text',
  tags: 'list',
  zip: 'text',
  city: 'text',
  state: 'text',
  price: 'number',
  area_code: 'text',
  has_phone: 'truth',
  has_email: 'truth',
  office_id: 'text',
  team_id: 'text',
  consent_status: 'text',
  time: 'time',
}

const suitable: Record<Kind, readonly Operator[]> = {
  text: ['eq', 'neq', 'in', 'not_in', 'contains', 'starts_with', 'exists', 'not_exists'],
  list: ['has_any', 'has_all', 'has_none', 'exists', 'not_exists'],
  number: ['eq', 'neq', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'between', 'exists', 'not_exists'],
  truth: ['eq', 'neq', 'exists', 'not_exists'],
  time: ['time_between'],
  anything: operators.filter((operator) => operator !== 'time_between'),
}

/** Fields with a fixed set of values. */
const vocabularies: Readonly<Record<string, readonly string[]>> = {
  stage: stages,
  consent_status: ['none', 'insufficient', 'sufficient'],
}

const members = ['field', 'operator', 'value']

function* testIssues(test: Record<string, unknown>, path: string): Generator<Issue> {
  const { field, operator } = test
  for (const name of Object.keys(test))
    if (!members.includes(name))
      yield { path: `${path}.${name}`, message: unknownName(name, [...members, ...groups]) }
  const kind = kindOf(field)
  const known = operators.find((one) => one === operator)
  if (kind === undefined) yield { path: `${path}.field`, message: wrongName(field, ruleFields, 'field') }
  if (known === undefined)
    yield { path: `${path}.operator`, message: wrongName(operator, operators, 'operator') }
  if (kind === undefined || known === undefined) return
  if (suitable[kind].includes(known)) {
    const vocabulary = vocabularies[String(field)]
    return yield* valueIssues(test['value'], known, itemKind(known, kind), vocabulary, `${path}.value`)
  }
  const message = `is not allowed for ${String(field)}, which takes ${suitable[kind].join(', ')}`
  yield { path: `${path}.operator`, message }
}

function kindOf(field: unknown): Kind | undefined {
  const plain = ruleFields.find((one) => one === field)
  if (plain !== undefined) return kinds[plain]
  return typeof field === 'string' && /^context(\.[^.]+)+$/.test(field) && field.length <= maxTextLength
    ? 'anything'
    : undefined
}

function wrongName(name: unknown, known: readonly string[], what: string): string {
  if (name === undefined) return 'is required'
  if (typeof name !== 'string') return 'must be string'
  return unknownName(name.slice(0, maxTextLength), known, what)
}

/** The required type of the value or of its items. */
function itemKind(operator: Operator, kind: Kind): Kind {
  if (['gt', 'gte', 'lt', 'lte', 'between'].includes(operator)) return 'number'
  return kind === 'list' ? 'text' : kind
}

function valueIssues(
  value: unknown,
  operator: Operator,
  kind: Kind,
  vocabulary: readonly string[] | undefined,
  path: string,
): Issue[] {
  const isLone = operator === 'exists' || operator === 'not_exists'
  if (isLone) return value === undefined ? [] : issueAt(path, `is not allowed with ${operator}`)
  if (value === undefined) return issueAt(path, 'is required')
  const isPair = operator === 'between' || operator === 'time_between'
  const isList = isPair || operator.startsWith('has_') || operator === 'in' || operator === 'not_in'
  const spelled = operator === 'contains' || operator === 'starts_with' ? undefined : vocabulary
  if (!isList) return issueAt(path, itemIssue(value, kind, spelled))
  if (!Array.isArray(value)) return issueAt(path, 'must be array')
  if (isPair && value.length !== 2) return issueAt(path, 'must have 2 items: from and to')
  if (value.length === 0) return issueAt(path, 'must not be empty')
  if (value.length > maxListItems) return issueAt(path, `must have at most ${maxListItems} items`)
  const issues = value.flatMap((item, i) => issueAt(`${path}.${i}`, itemIssue(item, kind, spelled)))
  return issues.length === 0 && operator === 'between' && value[0] > value[1]
    ? issueAt(path, 'must be in ascending order')
    : issues
}

const issueAt = (path: string, message: string | undefined): Issue[] =>
  message === undefined ? [] : [{ path, message }]

function itemIssue(item: unknown, kind: Kind, vocabulary: readonly string[] = []): string | undefined {
  const isNumber = typeof item === 'number' && Number.isFinite(item)
  if (kind === 'number') return isNumber ? undefined : 'must be number'
  if (kind === 'truth') return typeof item === 'boolean' ? undefined : 'must be boolean'
  if (kind === 'time') return isTime(item) ? undefined : 'must be a time of day, HH:MM'
  if (kind === 'anything' && (isNumber || typeof item === 'boolean')) return undefined
  if (typeof item !== 'string')
    return kind === 'text' ? 'must be string' : 'must be string, number or boolean'
  if (item.trim() === '') return 'must not be empty'
  if (item.length > maxTextLength) return `must have at most ${maxTextLength} characters`
  if (vocabulary.length === 0 || vocabulary.some((word) => foldText(word) === foldText(item)))
    return undefined
  return `${unknownName(item, vocabulary, 'value')}: it is one of ${vocabulary.join(', ')}`
}

const isTime = (value: unknown) => typeof value === 'string' && time.test(value)
const time = new RegExp(timePattern)
