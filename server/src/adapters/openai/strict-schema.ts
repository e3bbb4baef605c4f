import type { TSchema } from 'typebox'

/** Limits that Gable checks itself: some servers reject them in a schema, or can't turn them into a grammar. */
const limits = new Set(['minLength', 'maxLength', 'minItems', 'maxItems'])

/** Converts a schema for strict structured outputs: adds the type to enums, and removes length limits. */
export const strictSchema = (schema: TSchema): Record<string, unknown> =>
  strict(JSON.parse(JSON.stringify(schema)) as unknown) as Record<string, unknown>

function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict)
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).flatMap(([name, value]) =>
    // A property with one of these names has a schema, not a number.
    limits.has(name) && typeof value === 'number' ? [] : [[name, strict(value)] as const],
  )
  const isEnum = 'enum' in node && Array.isArray(node.enum) && !('type' in node)
  return Object.fromEntries(isEnum ? [['type', 'string'], ...members] : members)
}
