import type { Endpoint } from '#kernel/http/endpoint.ts'
import { fixtures } from '#test/support/all-fixtures.ts'
import { type Schema, formats, widestValues } from './hostile-values.ts'

/** The key by which fixtures name a member or a parameter. A count has the parameters of its list. */
export const keyOf = ({ method, path, counts, kind }: Endpoint & { kind?: string }, name: string) =>
  [method, counts?.path ?? path, ...(kind === undefined ? [] : [kind]), name].join(' ')

/**
 * Values at the limits of what a member or a parameter accepts; at least one. References are tested in
 * references.test.ts.
 */
export function acceptedValues(endpoint: Endpoint, name: string, schema: Schema): unknown[] {
  const key = keyOf(endpoint, name)
  const values = fixtures.values[key] ?? formats[schema.format ?? '']?.taken ?? widestValues(schema)
  if (values.length === 0) throw new Error(`No value of ${key} is known: it wants a fixture.`)
  return values
}

/** Values that satisfy the schema but name nothing that exists. */
export function namelessValues(endpoint: Endpoint, name: string, schema: Schema): unknown[] {
  const taken = fixtures.values[keyOf(endpoint, name)]?.map((value) => JSON.stringify(value))
  if (taken === undefined) return []
  return widestValues(schema).filter((value) => !taken.includes(JSON.stringify(value)))
}
