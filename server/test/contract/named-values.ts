import type { Endpoint } from '#kernel/http/endpoint.ts'
import { fixtures } from '#test/support/fixtures.ts'
import { type Schema, formats, widestValues } from './hostile-values.ts'

const keyOf = ({ method, path }: Endpoint, name: string) => `${method} ${path} ${name}`

const isId = (name: string) => name.endsWith('_id')

/** Values at the very edge of what a member or a parameter takes. */
export function acceptedValues(endpoint: Endpoint, name: string, schema: Schema): unknown[] {
  if (isId(name)) return []
  return fixtures.values[keyOf(endpoint, name)] ?? formats[schema.format ?? '']?.taken ?? widestValues(schema)
}

/** Values that are as the schema says and name nothing all the same. */
export function namelessValues(endpoint: Endpoint, name: string, schema: Schema): unknown[] {
  const taken = fixtures.values[keyOf(endpoint, name)]?.map((value) => JSON.stringify(value))
  if (taken === undefined) return []
  return widestValues(schema).filter((value) => !taken.includes(JSON.stringify(value)))
}
