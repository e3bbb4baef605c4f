import type { Issue } from '../errors.ts'
import { unlistedName } from '../http/validation.ts'
import { type FieldRegistry, type FieldType, fieldOf, isObject, maxFieldLength } from './condition.ts'
import { timePattern } from './hours.ts'
import { type Operator, foldText, operators } from './operators.ts'

const maxDepth = 8
const maxTests = 100
const maxListItems = 1000
const maxTextLength = 200

type Registry = FieldRegistry<never>

/** Yields the issues of a condition lazily, with their paths. */
export function* issuesOfCondition(registry: Registry, condition: unknown, path: string): Generator<Issue> {
  const tests = countTests(condition, 1)
  if (tests > maxTests) yield { path, message: `must have at most ${maxTests} tests; it has ${tests}` }
  yield* issuesIn(registry, condition, path, 1)
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

function* issuesIn(registry: Registry, condition: unknown, path: string, depth: number): Generator<Issue> {
  if (!isObject(condition)) return yield { path, message: 'must be object' }
  const group = groupIn(condition)
  if (group === undefined) return yield* testIssues(registry, condition, path)
  if (depth > maxDepth) return yield { path, message: `is nested more than ${maxDepth} levels deep` }
  for (const name of Object.keys(condition))
    if (name !== group) yield { path: `${path}.${name}`, message: `is not allowed beside ${group}` }
  const parts = condition[group]
  const inside = `${path}.${group}`
  if (!Array.isArray(parts)) return yield { path: inside, message: 'must be array' }
  if (parts.length === 0 && (group !== 'all' || depth > 1))
    yield { path: inside, message: 'must not be empty' }
  for (const [i, part] of parts.entries()) yield* issuesIn(registry, part, `${inside}.${i}`, depth + 1)
}

const suitable: Record<FieldType, readonly Operator[]> = {
  text: ['eq', 'neq', 'in', 'not_in', 'contains', 'starts_with', 'exists', 'not_exists'],
  list: ['has_any', 'has_all', 'has_none', 'exists', 'not_exists'],
  number: ['eq', 'neq', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'between', 'exists', 'not_exists'],
  truth: ['eq', 'neq', 'exists', 'not_exists'],
  time: ['time_between'],
  anything: operators.filter((operator) => operator !== 'time_between'),
}

const members = ['field', 'operator', 'value']

function* testIssues(registry: Registry, test: Record<string, unknown>, path: string): Generator<Issue> {
  const { field: name, operator } = test
  for (const member of Object.keys(test))
    if (!members.includes(member))
      yield { path: `${path}.${member}`, message: unlistedName(member, [...members, ...groups]) }
  const field = typeof name === 'string' ? fieldOf(registry, name) : undefined
  const known = operators.find((one) => one === operator)
  if (field === undefined)
    yield { path: `${path}.field`, message: wrongName(name, ...fieldNames(registry, name)) }
  if (known === undefined)
    yield { path: `${path}.operator`, message: wrongName(operator, operators, 'operator') }
  if (field === undefined || known === undefined) return
  const { type, values } = field
  if (suitable[type].includes(known))
    return yield* valueIssues(test['value'], known, itemKind(known, type), values, `${path}.value`)
  const message = `is not allowed for ${String(name)}, which takes ${suitable[type].join(', ')}`
  yield { path: `${path}.operator`, message }
}

function wrongName(name: unknown, ...[known, what, listed]: KnownNames): string {
  if (name === undefined) return 'is required'
  if (typeof name !== 'string') return 'must be string'
  return unlistedName(name.slice(0, maxFieldLength), known, what, listed)
}

type KnownNames = [known: readonly string[], what: string, listed?: readonly string[]]

/** The fields. Of an open object, the member that was probably named, and any member in the list. */
function fieldNames({ fields, open }: Registry, name: unknown): KnownNames {
  const parts = String(name).slice(0, maxFieldLength).split('.')
  const inside = (opening: string) => parts.slice(opening.split('.').length).filter((part) => part !== '')
  const namesWith = (member: (opening: string) => string) => [
    ...Object.keys(fields),
    ...Object.keys(open).map((opening) => `${opening}.${member(opening)}`),
  ]
  return [namesWith((opening) => inside(opening).join('.') || '…'), 'field', namesWith(() => '…')]
}

/** The required type of the value or of its items. */
function itemKind(operator: Operator, kind: FieldType): FieldType {
  if (['gt', 'gte', 'lt', 'lte', 'between'].includes(operator)) return 'number'
  return kind === 'list' ? 'text' : kind
}

function valueIssues(
  value: unknown,
  operator: Operator,
  kind: FieldType,
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

function itemIssue(item: unknown, kind: FieldType, vocabulary: readonly string[] = []): string | undefined {
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
  return unlistedName(item, vocabulary, 'value')
}

const isTime = (value: unknown) => typeof value === 'string' && time.test(value)
const time = new RegExp(timePattern)
