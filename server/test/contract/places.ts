import type { Endpoint } from '#kernel/http/endpoint.ts'
import type { Schema } from './hostile-values.ts'
import { bodyFor, bodyWith, plain } from './requests.ts'

/** A place in a body, and the schema of what stands there. */
export interface Place {
  path: string[]
  schema: Schema
}

/** The places of a schema that satisfy the test, such as `['participants', '0', 'contact_id']`. */
export function placesIn(
  schema: Schema,
  accepts: (schema: Schema, name: string) => boolean,
  path: string[] = [],
): Place[] {
  if (accepts(schema, path.at(-1) ?? '')) return [{ path, schema }]
  const { anyOf = [], items, properties = {} } = schema as Schema & { anyOf?: Schema[] }
  return [
    ...Object.entries(properties).flatMap(([name, one]) => placesIn(one, accepts, [...path, name])),
    ...(items === undefined ? [] : placesIn(items, accepts, [...path, '0'])),
    ...anyOf.flatMap((one) => placesIn(one, accepts, path)),
  ]
}

/** A copy of the value with another one at the place. What a new object must have besides is made up. */
export function put(
  schema: Schema,
  value: unknown,
  [name, ...rest]: readonly string[],
  leaf: unknown,
): unknown {
  if (name === undefined) return leaf
  const { anyOf = [] } = schema as { anyOf?: Schema[] }
  const {
    items,
    properties = {},
    required = [],
  } = anyOf.find((one) => one.properties !== undefined || one.items !== undefined) ?? schema
  if (items !== undefined) return [put(items, undefined, rest, leaf)]
  const besides = {
    ...Object.fromEntries(required.map((one) => [one, properties[one]?.enum?.[0] ?? 'One'])),
    ...(name === 'email' && { name: 'Bo Lind' }),
    ...('payee_id' in properties && { percent: 100 }),
    ...('mls_number' in properties && { mls_number: 'MRD-20417' }),
  }
  const given = (value ?? besides) as Record<string, unknown>
  return { ...given, [name]: put(properties[name] ?? {}, given[name], rest, leaf) }
}

/** The places of a body that name another record of the workspace: `stage_id`, `signers.0.contact_id`. */
export const namedIn = (endpoint: Endpoint): Place[] =>
  placesIn(plain(endpoint.body ?? {}), (schema) => 'x-references' in schema)

/** The valid body that names this record there, without the members that such a name excludes. */
export function withNamed(endpoint: Endpoint, { path }: Place, id: string): Record<string, unknown> {
  const [name = ''] = path
  const without = bodyWith(endpoint, name, undefined)
  return put(
    plain(endpoint.body ?? {}),
    { ...without, [name]: bodyFor(endpoint)?.[name] },
    path,
    id,
  ) as Record<string, unknown>
}
