import type { Endpoint } from '#kernel/http/endpoint.ts'
import type { Schema } from './hostile-values.ts'
import { membersOf } from './requests.ts'

/** A phone number and an email address to put into free texts. */
export interface Mark {
  phone: string
  email: string
}
export const marks: Mark[] = [
  { phone: '+13125557188', email: 'marker@reyes.example' },
  { phone: '+13125557199', email: 'zmarker@reyes.example' },
]

/** `leak` matches what masking must remove; `mask` matches what it leaves. */
export const leak = /55571|arker@/
export const mask = /\*{6}|\*{3}@/

/** The members of a body that take free text, with a mark in each. `formal`: paths that do not take marks. */
export const markedMembers = (endpoint: Endpoint, mark: Mark, formal: ReadonlySet<string>) =>
  Object.fromEntries(
    membersOf(endpoint).flatMap(([name, schema]) => {
      const value = marked(schema, name, mark, formal)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The members that can be emptied, emptied. `formal`: paths that cannot be emptied together with others. */
export const emptied = (endpoint: Endpoint, formal: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(
    membersOf(endpoint)
      .filter(([name, { type }]) => !formal.has(name) && (type === 'array' || [type].flat().includes('null')))
      .map(([name, { type }]) => [name, type === 'array' ? [] : null]),
  )

/** A value with the mark in each of its texts. Undefined if the schema takes no free text. */
function marked(schema: Schema, at: string, mark: Mark, formal: ReadonlySet<string>): unknown {
  const { type = 'string', format, enum: values, properties, required = [], items, maxLength = 100 } = schema
  if (formal.has(at) || values !== undefined || format?.startsWith('date') || 'x-references' in schema)
    return undefined
  const types = new Set([type].flat())
  const text = [`${mark.email} ${mark.phone}`, mark.phone].find(({ length }) => length <= maxLength)
  if (properties !== undefined) {
    const members = Object.entries(properties).flatMap(([name, one]) => {
      const value = marked(one, `${at}.${name}`, mark, formal)
      return value === undefined ? [] : [[name, value]]
    })
    const given = new Set(members.map(([name]) => name))
    // Omit an object that would lack a required member that takes no mark.
    return given.size > 0 && required.every((name) => given.has(name))
      ? Object.fromEntries(members)
      : undefined
  }
  // For an object with its own schema, a rejection names paths within the object.
  if (types.has('object') && [...formal].some((path) => path.startsWith(`${at}.`))) return undefined
  if (types.has('object')) return { [String(text)]: [text, Number(mark.phone), { text }] }
  if (types.has('array')) {
    const item = marked(items ?? {}, `${at}.0`, mark, formal)
    return item === undefined ? undefined : [item]
  }
  if (!types.has('string')) return undefined
  if (format === 'email') return mark.email
  if (format === 'uri') return `https://reyes.example/?${mark.email}=${mark.phone}`
  return /(^|_|\.)phone$/.test(at) ? mark.phone : text
}
