import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Fault, ValidationFailed } from '../errors.ts'

interface SchemaFault {
  keyword: string
  instancePath: string
  message: string
  params: Record<string, unknown>
}

/** Throws ValidationFailed with the faults, one a place and a handful at most; answers when the value is as the schema says. */
export function validator(schema: TSchema): (value: unknown) => void {
  const compiled = Compile(schema)
  const known = Object.keys((schema as { properties?: object }).properties ?? {})
  return (value) => {
    if (compiled.Check(value)) return
    const faults = new Map<string, string>()
    for (const fault of compiled.Errors(value) as Iterable<SchemaFault>) {
      for (const { path, message } of describe(fault, known)) {
        if (!faults.has(path)) faults.set(path, message)
      }
    }
    throw ValidationFailed([...faults].map(([path, message]) => ({ path, message })))
  }
}

function describe({ keyword, instancePath, message, params }: SchemaFault, known: string[]): Fault[] {
  const path = shown(instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~'))
  const each = (names: unknown, say: (name: string) => string) =>
    (names as string[]).map((name) => ({ path: path === '' ? name : `${path}.${name}`, message: say(name) }))
  switch (keyword) {
    case 'additionalProperties': // Told once for each member instead, as 'boolean'.
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

/** A name that a caller made up can be as long as a body. */
const shown = (path: string) =>
  path.length > 100 ? `${Array.from(path.slice(0, 200)).slice(0, 100).join('')}…` : path

function unknownName(name: string, known: string[]): string {
  const meant = closest(name, known)
  return meant === undefined ? 'is not a known field' : `is not a known field; did you mean ${meant}?`
}

/** The known name that was probably meant. */
export const closest = (name: string, known: readonly string[]): string | undefined =>
  known.find((candidate) => close(candidate, name))

/** At most two edits apart, or the same but for case and at most two underscores. */
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
