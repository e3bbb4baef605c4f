import type { Fault } from '#kernel/errors.ts'
import { stages } from '../contacts/public.ts'
import { isObject, unknownName } from './faults.ts'
import { fold } from './fold.ts'
import { timePattern } from './rule-schema.ts'
import { type Operator, fields, operators } from './rule.ts'

const maxDepth = 8
const maxTests = 100
const maxListItems = 1000
const maxTextLength = 200

/** Everything that is wrong with a condition that somebody wrote, with its place. */
export function conditionFaults(condition: unknown, path: string): Fault[] {
  const faults = faultsIn(condition, path, 1)
  const tests = countTests(condition, 1)
  return tests > maxTests
    ? [...faults, { path, message: `must have at most ${maxTests} tests; it has ${tests}` }]
    : faults
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

function faultsIn(condition: unknown, path: string, depth: number): Fault[] {
  if (!isObject(condition)) return [{ path, message: 'must be object' }]
  const group = groupIn(condition)
  if (group === undefined) return testFaults(condition, path)
  const parts = condition[group]
  const others = Object.keys(condition).filter((name) => name !== group)
  const faults = others.map((name) => ({
    path: `${path}.${name}`,
    message: `must not stand beside ${group}`,
  }))
  const inside = `${path}.${group}`
  if (depth > maxDepth) return [{ path, message: `is nested more than ${maxDepth} levels deep` }]
  if (!Array.isArray(parts)) return [...faults, { path: inside, message: 'must be array' }]
  if (parts.length === 0 && (group !== 'all' || depth > 1)) {
    faults.push({ path: inside, message: 'must not be empty' })
  }
  return [...faults, ...parts.flatMap((part, i) => faultsIn(part, `${inside}.${i}`, depth + 1))]
}

/** What a field holds. */
type Kind = 'text' | 'list' | 'number' | 'truth' | 'time' | 'anything'

const kinds: Record<(typeof fields)[number], Kind> = {
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

/** Fields of which all values are known. */
const vocabularies: Readonly<Record<string, readonly string[]>> = {
  stage: stages,
  consent_status: ['none', 'insufficient', 'sufficient'],
}

const members = ['field', 'operator', 'value']

function testFaults(test: Record<string, unknown>, path: string): Fault[] {
  const { field, operator } = test
  const faults = Object.keys(test)
    .filter((name) => !members.includes(name))
    .map((name) => ({ path: `${path}.${name}`, message: unknownName(name, [...members, ...groups]) }))
  const kind = kindOf(field)
  const known = operators.find((one) => one === operator)
  if (kind === undefined) faults.push({ path: `${path}.field`, message: wrongName(field, fields, 'field') })
  if (known === undefined) {
    faults.push({ path: `${path}.operator`, message: wrongName(operator, operators, 'operator') })
  }
  if (kind === undefined || known === undefined) return faults
  if (!suitable[kind].includes(known)) {
    const message = `does not suit ${String(field)}, which takes ${suitable[kind].join(', ')}`
    return [...faults, { path: `${path}.operator`, message }]
  }
  const vocabulary = vocabularies[String(field)]
  return [...faults, ...valueFaults(test['value'], known, itemKind(known, kind), vocabulary, `${path}.value`)]
}

function kindOf(field: unknown): Kind | undefined {
  const plain = fields.find((one) => one === field)
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

/** What the value, or each of its items, has to be. */
function itemKind(operator: Operator, kind: Kind): Kind {
  if (['gt', 'gte', 'lt', 'lte', 'between'].includes(operator)) return 'number'
  return kind === 'list' ? 'text' : kind
}

function valueFaults(
  value: unknown,
  operator: Operator,
  kind: Kind,
  vocabulary: readonly string[] | undefined,
  path: string,
): Fault[] {
  const isLone = operator === 'exists' || operator === 'not_exists'
  if (isLone) return value === undefined ? [] : told(path, `has no place beside ${operator}`)
  if (value === undefined) return told(path, 'is required')
  const isPair = operator === 'between' || operator === 'time_between'
  const isList = isPair || operator.startsWith('has_') || operator === 'in' || operator === 'not_in'
  const spelled = operator === 'contains' || operator === 'starts_with' ? undefined : vocabulary
  if (!isList) return told(path, itemFault(value, kind, spelled))
  if (!Array.isArray(value)) return told(path, 'must be array')
  if (isPair && value.length !== 2) return told(path, 'must have 2 items: from and to')
  if (value.length === 0) return told(path, 'must not be empty')
  if (value.length > maxListItems) return told(path, `must have at most ${maxListItems} items`)
  const faults = value.flatMap((item, i) => told(`${path}.${i}`, itemFault(item, kind, spelled)))
  return faults.length === 0 && operator === 'between' && value[0] > value[1]
    ? told(path, 'must be in order: the lesser one first')
    : faults
}

const told = (path: string, message: string | undefined): Fault[] =>
  message === undefined ? [] : [{ path, message }]

function itemFault(item: unknown, kind: Kind, vocabulary: readonly string[] = []): string | undefined {
  const isNumber = typeof item === 'number' && Number.isFinite(item)
  if (kind === 'number') return isNumber ? undefined : 'must be number'
  if (kind === 'truth') return typeof item === 'boolean' ? undefined : 'must be boolean'
  if (kind === 'time') return isTime(item) ? undefined : 'must be a time of day, HH:MM'
  if (kind === 'anything' && (isNumber || typeof item === 'boolean')) return undefined
  if (typeof item !== 'string')
    return kind === 'text' ? 'must be string' : 'must be string, number or boolean'
  if (item.trim() === '') return 'must not be empty'
  if (item.length > maxTextLength) return `must have at most ${maxTextLength} characters`
  if (vocabulary.length === 0 || vocabulary.some((word) => fold(word) === fold(item))) return undefined
  return `${unknownName(item, vocabulary, 'value')}: it is one of ${vocabulary.join(', ')}`
}

const isTime = (value: unknown) => typeof value === 'string' && time.test(value)
const time = new RegExp(timePattern)
