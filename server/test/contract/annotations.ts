import type { Endpoint } from '#kernel/http/endpoint.ts'
import type { Schema } from './hostile-values.ts'
import { plain } from './requests.ts'

/** The schema of each member at any depth, by path. An array's items have the array's path. */
function membersWithin(schema: Schema, at = ''): [path: string, Schema][] {
  const { properties = {}, items, anyOf = [], allOf = [] } = schema
  return [
    ...Object.entries(properties).flatMap(([name, one]): [string, Schema][] => {
      const path = at === '' ? name : `${at}.${name}`
      return [[path, one], ...membersWithin(one, path)]
    }),
    ...[...anyOf, ...allOf, ...(items === undefined ? [] : [items])].flatMap((one) => membersWithin(one, at)),
  ]
}

/**
 * The members of the endpoint's successful responses. For a list, those of its records, without the list around them.
 */
export const shownMembers = ({ responses }: Endpoint): [path: string, Schema][] =>
  Object.values(responses)
    .flatMap((schema) => membersWithin(plain(schema)))
    .map(([path, schema]) => [path.replace(/^data\./, ''), schema])

/** The paths of unmasked texts, and of unmasked members that can contain anything. */
export function plainTexts(schema: Schema, at: string): string[] {
  const { type, properties, items, anyOf } = schema
  if (schema['x-masked'] !== undefined) return []
  const within = [...(anyOf ?? []), ...(items === undefined ? [] : [items])].flatMap((one) =>
    plainTexts(one, at),
  )
  const members = Object.entries(properties ?? {}).flatMap(([name, one]) => plainTexts(one, `${at}.${name}`))
  const isSet = 'enum' in schema || 'const' in schema || schema.format === 'date-time'
  const isOpen = type === undefined ? (anyOf ?? properties) === undefined : [type].flat().includes('string')
  return [...(isOpen && !isSet ? [at] : []), ...within, ...members]
}

/** The members of the endpoint's body that the body or the responses mask, by path. */
export function maskedMembers(endpoint: Endpoint): [path: string, Schema][] {
  const isMasked = ([, { 'x-masked': way }]: [string, Schema]) => way !== undefined && way !== 'hidden'
  const shown = new Set(
    shownMembers(endpoint)
      .filter(isMasked)
      .map(([path]) => path),
  )
  return membersWithin(plain(endpoint.body ?? {})).filter(
    // A member that names a record is not text.
    (one) => isMasked(one) || (shown.has(one[0]) && !('x-references' in one[1])),
  )
}

/** The body with this value at the path. */
export function withValue(body: object, path: string, value: unknown): object {
  const [name = '', ...rest] = path.split('.')
  const member = (body as Record<string, unknown>)[name]
  return {
    ...body,
    [name]: rest.length === 0 ? value : withValue((member ?? {}) as object, rest.join('.'), value),
  }
}
