import type { TSchema } from 'typebox'

/** Limits that we check ourselves: some servers reject a schema for them, or cannot make a grammar of it. */
const limits = new Set(['minLength', 'maxLength', 'minItems', 'maxItems'])

/** A schema as strict structured outputs take it: with a type wherever there are values, and without limits of length. */
export const strictSchema = (schema: TSchema): Record<string, unknown> =>
  strict(JSON.parse(JSON.stringify(schema)) as unknown) as Record<string, unknown>

function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict)
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).flatMap(([name, value]) =>
    // A member of that name is no limit, but a schema.
    limits.has(name) && typeof value === 'number' ? [] : [[name, strict(value)] as const],
  )
  const isEnum = 'enum' in node && Array.isArray(node.enum) && !('type' in node)
  return Object.fromEntries(isEnum ? [['type', 'string'], ...members] : members)
}
