import { type TObject, type TSchema, Type } from 'typebox'
import { ValidationFailed } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'
import { defaultLimit, maxLimit } from './paging.ts'
import { hygieneFault } from './text.ts'
import { validator } from './validation.ts'

const listParameters = {
  cursor: Type.Optional(
    Type.String({
      description: 'The `next_cursor` of the page before. An unreadable or stale one restarts the walk.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit, description: 'Rows a page.' }),
  ),
}

const fieldsParameter = {
  fields: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Comma-separated members to answer; `id` is always among them.',
    }),
  ),
}

/** The schema of everything that an endpoint's query string may hold. */
export const querySchema = ({ query, list, fields }: Endpoint): TObject =>
  Type.Object(
    { ...query?.properties, ...(list ? listParameters : {}), ...(fields ? fieldsParameter : {}) },
    { additionalProperties: false },
  )

/** Reads a query string by its schema: numbers as numbers, no parameter twice, none unknown, clean text. */
export function queryReader(schema: TObject): (query: string) => Record<string, unknown> {
  const validate = validator(schema)
  return (query) => {
    if (query === '') return {}
    // Without a prototype: a parameter may be called __proto__.
    const values = Object.create(null) as Record<string, unknown>
    for (const [name, text] of new URLSearchParams(query)) {
      if (Object.hasOwn(values, name)) throw ValidationFailed([{ path: name, message: 'must be given once' }])
      values[name] = Object.hasOwn(schema.properties, name) ? coerce(text, schema.properties[name]) : text
    }
    // A cursor is opaque and never a fault: whatever it holds, the walk restarts.
    const { cursor: _, ...rest } = values
    const fault = hygieneFault(rest)
    if (fault !== undefined) throw ValidationFailed([fault])
    validate(values)
    return values
  }
}

/** Text stays text where it is no number, so that the schema says what is wrong. */
function coerce(text: string, schema: TSchema | undefined): unknown {
  const type = (schema as { type?: string } | undefined)?.type
  return (type === 'integer' || type === 'number') && /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text
}
