import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Issue, ValidationFailed } from '../errors.ts'
import { oneLine } from '../schemas.ts'
import { textIssue } from './text.ts'

interface SchemaError {
  keyword: string
  instancePath: string
  message: string
  params: Record<string, unknown>
}

/** Checks values against a schema. Throws `ValidationFailed` with one issue per path, and a handful at most. */
export function validator(schema: TSchema): (value: unknown) => void {
  const compiled = Compile(schema)
  const known = Object.keys((schema as { properties?: object }).properties ?? {})
  return (value) => {
    if (compiled.Check(value)) return
    const issues = new Map<string, string>()
    for (const error of compiled.Errors(value) as Iterable<SchemaError>) {
      for (const { path, message } of describe(error, known)) {
        if (!issues.has(path)) issues.set(path, message)
      }
    }
    throw ValidationFailed([...issues].map(([path, message]) => ({ path, message })))
  }
}

/** Checks a value as the API checks a body, for what does not come by the API: clean texts first, then the schema. */
export function bodyValidator(schema: TSchema): (value: unknown) => void {
  const validate = validator(schema)
  return (value) => {
    const issue = textIssue(value)
    if (issue !== undefined) throw ValidationFailed([issue])
    validate(value)
  }
}

function describe({ keyword, instancePath, message, params }: SchemaError, known: string[]): Issue[] {
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
      return [{ path, message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}` }]
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
      return [{ path, message: params['pattern'] === oneLine ? 'must be one line' : message }]
    case 'maxItems':
      return [{ path, message: `must have at most ${params['limit']} items` }]
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

/** A caller's own names can be as long as the body. */
const shown = (path: string) =>
  path.length > 100 ? `${Array.from(path.slice(0, 200)).slice(0, 100).join('')}…` : path

function unknownName(name: string, known: string[]): string {
  const meant = closest(name, known)
  return meant === undefined ? 'is not a known field' : `is not a known field; did you mean ${meant}?`
}

/** The known name that the caller probably meant. */
export const closest = (name: string, known: readonly string[]): string | undefined =>
  known.find((candidate) => close(candidate, name))

/** Whether the names differ by two edits at most, or only by case and underscores. */
function close(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 2) return false
  const bare = (text: string) => text.replaceAll('_', '').toLowerCase()
  return bare(a) === bare(b) || (Math.max(a.length, b.length) > 4 && edits(a, b) <= 2)
}

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
