import type { Issue } from '../errors.ts'
import { notOneOf, unlistedName } from '../http/validation.ts'
import { idPattern } from '../ids.ts'
import { oneLine, oneLineRule } from '../schemas.ts'
import { isObject } from './condition.ts'
import { timePattern } from './hours.ts'

/** The subset of JSON Schema that describes documents. */
export interface Schema {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  minProperties?: number
  maxProperties?: number
  $ref?: string
  anyOf?: readonly Schema[]
}

/** Yields the issues of a value that a `$ref` describes. */
export type Referred = (ref: string, value: unknown, path: string) => Iterable<Issue>

/**
 * Yields the issues of a value at any depth, lazily and with their paths. By contrast, the request validator reports
 * only the first few issues and suggests names only at the top level.
 */
export function* schemaIssues(
  schema: Schema,
  value: unknown,
  path: string,
  referred: Referred,
): Generator<Issue> {
  if (schema.$ref !== undefined) return yield* referred(schema.$ref, value, path)
  if (schema.anyOf !== undefined) return yield* issuesOfAny(schema.anyOf, value, path, referred)
  const message = issueOf(schema, value)
  if (message !== undefined) return yield { path: path === '' ? 'body' : path, message }
  if (isObject(value)) return yield* memberIssues(schema, value, prefix(path), referred)
  if (!Array.isArray(value)) return
  for (const [i, item] of value.entries())
    yield* schemaIssues(schema.items ?? {}, item, `${prefix(path)}${i}`, referred)
}

/**
 * Yields nothing if the value matches one of the forms. Otherwise yields the issues of the first form whose type
 * matches, or else of the first form.
 */
function* issuesOfAny(forms: readonly Schema[], value: unknown, path: string, referred: Referred) {
  const tried = forms.map((form) => schemaIssues(form, value, path, referred).toArray())
  if (tried.some((issues) => issues.length === 0)) return
  yield* tried.find((issues) => issues.every((issue) => issue.path !== path)) ?? tried[0] ?? []
}

function* memberIssues(
  schema: Schema,
  value: Record<string, unknown>,
  before: string,
  referred: Referred,
): Generator<Issue> {
  const { properties = {}, required = [], additionalProperties: others = true } = schema
  for (const name of required)
    if (!Object.hasOwn(value, name)) yield { path: before + name, message: 'is required' }
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : others
    const path = before + shortened(name)
    if (typeof known === 'object') yield* schemaIssues(known, member, path, referred)
    else if (known === false) yield { path, message: unlistedName(name, Object.keys(properties)) }
  }
}

const prefix = (path: string) => (path === '' ? '' : `${path}.`)

/** Truncates a member's name for an issue: the name can be as long as the document. */
const shortened = (name: string) => (name.length > 100 ? `${Array.from(name).slice(0, 100).join('')}…` : name)

/** The issue of the value itself, apart from its members, if any. */
function issueOf(schema: Schema, value: unknown): string | undefined {
  const types = [schema.type ?? []].flat()
  const names = Object.keys(schema.properties ?? {})
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return `must be ${types.join(' or ')}${schema.minProperties === undefined ? '' : ` with ${names.join(', ')}`}`
  if (schema.enum?.includes(value) === false) return notOneOf(value, schema.enum)
  if (typeof value === 'string') return textIssue(schema, value)
  if (typeof value === 'number') return boundIssue(value, schema.minimum, schema.maximum)
  if (Array.isArray(value)) return sizeIssue(value.length, schema.minItems, schema.maxItems, 'items')
  if (!isObject(value)) return undefined
  const what = names.length === 0 ? 'members' : `of ${names.join(', ')}`
  return sizeIssue(Object.keys(value).length, schema.minProperties, schema.maxProperties, what)
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isObject(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

const patternWords = new Map([
  [idPattern, 'must be an id'],
  [timePattern, 'must be a time of day, HH:MM'],
  [oneLine, oneLineRule],
])

function textIssue({ pattern, minLength, maxLength }: Schema, text: string): string | undefined {
  const length = text.trim() === '' ? 0 : Array.from(text).length
  const issue = sizeIssue(length, minLength, maxLength, 'characters')
  if (issue !== undefined || pattern === undefined || new RegExp(pattern).test(text)) return issue
  return patternWords.get(pattern) ?? `must match ${pattern}`
}

function boundIssue(amount: number, least = -Infinity, most = Infinity): string | undefined {
  if (amount < least) return `must be at least ${least}`
  return amount > most ? `must be at most ${most}` : undefined
}

function sizeIssue(size: number, least = 0, most = Infinity, what = ''): string | undefined {
  if (size < least) return least === 1 ? 'must not be empty' : `must have at least ${least} ${what}`
  return size > most ? `must have at most ${most} ${what}` : undefined
}
