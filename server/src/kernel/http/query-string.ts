import { type TObject, type TSchema, Type } from 'typebox'
import { ValidationFailed } from '../errors.ts'
import { isoTime } from '../schemas.ts'
import type { Endpoint } from './endpoint.ts'
import { defaultLimit, maxLimit } from './paging.ts'
import { textIssue } from './text.ts'
import { validator } from './validation.ts'

const listParameters = {
  cursor: Type.Optional(
    Type.String({
      description:
        'The `next_cursor` of the previous page. An unreadable or stale cursor restarts the list at the first page.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit, description: 'The page size.' }),
  ),
}

const fieldsParameter = {
  fields: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Comma-separated members to return. `id` is always included.',
    }),
  ),
}

/** The schema of an endpoint's query string. */
export const querySchema = ({ query, list, fields }: Endpoint): TObject =>
  Type.Object(
    { ...query?.properties, ...(list ? listParameters : {}), ...(fields ? fieldsParameter : {}) },
    { additionalProperties: false },
  )

/**
 * Parses a query string with its schema. Converts times to the stored form. Throws `ValidationFailed` for unknown,
 * repeated, and invalid parameters.
 */
export function queryReader(schema: TObject): (query: string) => Record<string, unknown> {
  const validate = validator(schema)
  const times = Object.entries(schema.properties).flatMap(([name, one]) =>
    (one as { format?: string }).format === 'date-time' ? [name] : [],
  )
  return (query) => {
    if (query === '') return {}
    // Without a prototype, because a parameter may be named __proto__.
    const values = Object.create(null) as Record<string, unknown>
    for (const [name, text] of new URLSearchParams(query)) {
      if (Object.hasOwn(values, name)) throw ValidationFailed([{ path: name, message: 'must be given once' }])
      values[name] = Object.hasOwn(schema.properties, name) ? coerce(text, schema.properties[name]) : text
    }
    // A cursor never fails validation: an unreadable one restarts the list.
    const { cursor: _, ...rest } = values
    const issue = textIssue(rest)
    if (issue !== undefined) throw ValidationFailed([issue])
    validate(values)
    for (const name of times) if (typeof values[name] === 'string') values[name] = isoTime(values[name])
    return values
  }
}

/**
 * Converts the text to a number or a boolean if the schema expects one and the text is one. Otherwise validation
 * reports the text.
 */
function coerce(text: string, schema: TSchema | undefined): unknown {
  const type = (schema as { type?: string } | undefined)?.type
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return (type === 'integer' || type === 'number') && /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text
}
