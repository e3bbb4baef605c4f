import { type TSchema, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { type Issue, ValidationFailed } from '../errors.ts'
import { oneLine, oneLineRule, variantsOf } from '../schemas.ts'
import { textIssue } from './text.ts'

interface SchemaError {
  keyword: string
  instancePath: string
  message: string
  params: Record<string, unknown>
}

/**
 * Makes a function that validates values against a schema. It throws `ValidationFailed` with one issue per path, and
 * with only a handful of issues. `shown`: fields of the record, some of which the schema does not accept.
 */
export function validator(schema: TSchema, shown: readonly string[] = []): (value: unknown) => void {
  const several = variantsOf(schema)
  if (several !== undefined) return variantValidator(several, shown)
  // Compiled when the first value comes, because a process that starts needs none, and a test few.
  let compiled: Validator | undefined
  const known = Object.keys((schema as { properties?: object }).properties ?? {})
  return (value) => {
    compiled ??= Compile(schema)
    if (compiled.Check(value)) return
    const tooLong = longLists(schema, value)
    if (tooLong.length > 0) throw ValidationFailed(tooLong)
    const issues = new Map<string, string>()
    for (const error of compiled.Errors(value) as Iterable<SchemaError>) {
      for (const { path, message } of describe(error, known, value)) {
        const readOnly = error.keyword === 'boolean' && shown.includes(path)
        if (!issues.has(path)) issues.set(path, readOnly ? 'cannot be set by this request' : message)
      }
    }
    throw ValidationFailed([...issues].map(([path, message]) => ({ path, message })))
  }
}

interface Shape {
  type?: string
  maxItems?: number
  items?: TSchema
  properties?: Record<string, TSchema>
  anyOf?: TSchema[]
}

/**
 * The lists with too many items. They are reported alone: it would take seconds to find out what is wrong with each of
 * 100,000 items.
 */
function longLists(schema: TSchema, value: unknown, path = ''): Issue[] {
  const { anyOf, items, maxItems = Number.POSITIVE_INFINITY, properties = {} } = schema as Shape
  const below = (part: TSchema, name: string | number, member: unknown) =>
    longLists(part, member, path === '' ? String(name) : `${path}.${name}`)
  if (anyOf !== undefined) {
    const found = anyOf
      .filter((one) => (one as Shape).type === (Array.isArray(value) ? 'array' : 'object'))
      .map((one) => longLists(one, value, path))
    return found.some((one) => one.length === 0) ? [] : (found[0] ?? [])
  }
  if (Array.isArray(value)) {
    if (value.length > maxItems) return [{ path: shown(path), message: tooManyItems(maxItems) }]
    return items === undefined ? [] : value.flatMap((one, index) => below(items, index, one))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(properties).flatMap(([name, part]) =>
    Object.hasOwn(value, name) ? below(part, name, (value as Record<string, unknown>)[name]) : [],
  )
}

const tooManyItems = (limit: unknown) => `must have at most ${limit} items`

/** Validates a value against the kind that its discriminator names. */
function variantValidator(
  { discriminator, kinds }: NonNullable<ReturnType<typeof variantsOf>>,
  shown: readonly string[],
): (value: unknown) => void {
  const validators = new Map([...kinds].map(([name, kind]) => [name, validator(kind, shown)]))
  const Discriminated = Type.Object({ [discriminator]: Type.Enum([...kinds.keys()]) })
  const validateKind = validator(Discriminated)
  return (value) => {
    validateKind(value)
    validators.get(String((value as Record<string, unknown>)[discriminator]))?.(value)
  }
}

/**
 * Validates a value as the API validates a body, for values that do not arrive through the API: first that the texts
 * are clean, then the schema.
 */
export function bodyValidator(schema: TSchema): (value: unknown) => void {
  const validate = validator(schema)
  return (value) => {
    const issue = textIssue(value)
    if (issue !== undefined) throw ValidationFailed([issue])
    validate(value)
  }
}

/** The part of a value that a JSON pointer leads to. */
const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((part, name) => (part as Readonly<Record<string, unknown>> | null | undefined)?.[name], value)

function describe(
  { keyword, instancePath, message, params }: SchemaError,
  known: string[],
  value: unknown,
): Issue[] {
  const path = shown(instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~'))
  const each = (names: unknown, say: (name: string) => string) =>
    (names as string[]).map((name) => ({ path: path === '' ? name : `${path}.${name}`, message: say(name) }))
  switch (keyword) {
    case 'additionalProperties': // Reported for each member as 'boolean'.
      return []
    case 'required':
      return each(params['requiredProperties'], () => 'is required')
    case 'boolean':
      return [{ path, message: unknownName(path, known) }]
    case 'enum':
      return [{ path, message: notOneOf(at(value, instancePath), params['allowedValues'] as unknown[]) }]
    case 'maxLength':
      return [{ path, message: `must have at most ${params['limit']} characters` }]
    case 'minLength':
      return [
        {
          path,
          message:
            params['limit'] === 1 ? 'must not be empty' : `must have at least ${params['limit']} characters`,
        },
      ]
    case 'minItems':
      return [
        {
          path,
          message:
            params['limit'] === 1 ? 'must not be empty' : `must have at least ${params['limit']} items`,
        },
      ]
    case 'pattern':
      return [{ path, message: params['pattern'] === oneLine ? oneLineRule : message }]
    case 'maxItems':
      return [{ path, message: tooManyItems(params['limit']) }]
    case 'type':
      return [
        { path: path === '' ? 'body' : path, message: `must be ${[params['type']].flat().join(' or ')}` },
      ]
    case 'format':
      return [{ path, message: `must be a valid ${params['format']}` }]
    default:
      return [{ path, message }]
  }
}

/** Truncates a path, because a caller's own names can be as long as the body. */
const shown = (path: string) =>
  path.length > 100 ? `${Array.from(path.slice(0, 200)).slice(0, 100).join('')}…` : path

/** The message for an unknown name. */
export const unknownName = (name: string, known: readonly string[], what = 'field'): string =>
  `is not a known ${what}${didYouMean(name, known)}`

/**
 * The same, with the names that are known, or what is shown in their place. Of names such as `contact.stage`, those that begin alike, if
 * there are any.
 */
export function unlistedName(
  name: string,
  known: readonly string[],
  what = 'field',
  listed: readonly string[] = known,
): string {
  const family = listed.filter((one) => name.includes('.') && one.startsWith(name.replace(/\..*$/s, '.')))
  const message = unknownName(name, known, what)
  const names = (family.length > 0 ? family : listed).join(', ')
  return message.endsWith('?') ? `${message} It is one of ${names}` : `${message}; it is one of ${names}`
}

/** The message for a value that is not in a list. */
export const notOneOf = (value: unknown, allowed: readonly unknown[]): string =>
  `must be one of ${allowed.join(', ')}${typeof value === 'string' ? didYouMean(value, allowed.map(String)) : ''}`

/** What the caller probably meant, as the end of a message. Empty if nothing known is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = closest(name, known)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/**
 * The known name that the caller probably meant: the nearest one at most two edits away, or one that differs only in
 * case and underscores. Two letters in the wrong order are one edit. Of two that are equally near, returns the shorter one.
 */
export function closest(name: string, known: readonly string[]): string | undefined {
  const bareName = bare(name)
  const isNear = (edits: number) => (one: string) =>
    Math.abs(one.length - name.length) <= 2 &&
    ((isLongEnough(edits, one, name) && areWithin(edits, one, name)) || bare(one) === bareName)
  const byLength = known.toSorted((a, b) => a.length - b.length)
  return byLength.find(isNear(1)) ?? byLength.find(isNear(2))
}

/** Of a short name, too many others are near. */
const isLongEnough = (edits: number, a: string, b: string) =>
  edits === 1 ? Math.min(a.length, b.length) > 2 : Math.max(a.length, b.length) > 4

const bare = (text: string) => text.replaceAll('_', '').toLowerCase()

/** Whether at most this many edits turn one text into the other. */
function areWithin(edits: number, a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > edits) return false
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  const [x, y] = [a.slice(shared), b.slice(shared)]
  if (x === y) return true
  if (edits === 0) return false
  const [nextX, nextY] = [x.slice(1), y.slice(1)]
  const areSwapped = x.length > 1 && x[0] === y[1] && x[1] === y[0]
  return (
    areWithin(edits - 1, nextX, nextY) ||
    areWithin(edits - 1, nextX, y) ||
    areWithin(edits - 1, x, nextY) ||
    (areSwapped && areWithin(edits - 1, x.slice(2), y.slice(2)))
  )
}
