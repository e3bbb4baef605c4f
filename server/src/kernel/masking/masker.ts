import type { TSchema } from 'typebox'
import { ValidationFailed } from '../errors.ts'
import { isMasked } from './mask-text.ts'
import { type Annotated, type Way, ways } from './masked.ts'

/** The parts of a schema that may contain annotations. */
interface Schema extends Annotated {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

/** Returns the replacement of an annotated value. */
type Replace = (value: unknown, way: Way, path: string) => unknown

/** Returns the value with its annotated parts replaced. */
type Traverse = (value: unknown, replace: Replace, path: string) => unknown

/** For a schema without annotations. */
const unchanged: Traverse = (value) => value

const compiled = new WeakMap<Schema, Traverse>()

function traversal(schema: Schema): Traverse {
  const traverse = compiled.get(schema) ?? compile(schema)
  compiled.set(schema, traverse)
  return traverse
}

function compile({
  'x-masked': way,
  properties = {},
  items,
  anyOf = [],
  allOf = [],
  oneOf = [],
}: Schema): Traverse {
  if (way !== undefined) return (value, replace, path) => (value === null ? null : replace(value, way, path))
  const item = items === undefined ? unchanged : traversal(items)
  const alternatives = [...anyOf, ...allOf, ...oneOf].map(traversal)
  const members = Object.entries(properties)
    .map(([name, one]) => ({ name, traverse: traversal(one) }))
    .filter(({ traverse }) => traverse !== unchanged)
  if (members.length === 0 && [item, ...alternatives].every((one) => one === unchanged)) return unchanged
  return (value, replace, path) => {
    const whole = alternatives.reduce((done, traverse) => traverse(done, replace, path), value)
    if (Array.isArray(whole)) return whole.map((one, i) => item(one, replace, `${path}.${i}`))
    if (typeof whole !== 'object' || whole === null) return whole
    const copy: Record<string, unknown> = { ...whole }
    for (const { name, traverse } of members)
      if (copy[name] !== undefined)
        copy[name] = traverse(copy[name], replace, path === '' ? name : `${path}.${name}`)
    return copy
  }
}

/** Returns the value with the parts masked that its schema annotates. */
export const mask = <T>(schema: TSchema, value: T): T =>
  traversal(schema)(value, (one, way) => ways[way].mask(one), '') as T

/**
 * Throws `ValidationFailed` if an annotated value anywhere in the body contains a mask: written back, the mask would
 * replace what it hides.
 */
export function rejectMasks(schema: TSchema, body: unknown): void {
  const paths = new Set<string>()
  const check: Replace = (value, _, path) => {
    if (isMasked(JSON.stringify(value))) paths.add(path)
    return value
  }
  traversal(schema)(body, check, '')
  const message = 'is masked; omit it to keep the current value'
  if (paths.size > 0) throw ValidationFailed([...paths].map((path) => ({ path, message })))
}
