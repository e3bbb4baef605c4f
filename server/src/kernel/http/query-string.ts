import { type TObject, type TSchema, Type } from 'typebox'
import { AppError, ValidationFailed } from '../errors.ts'
import { isoTime } from '../schemas.ts'
import type { Endpoint } from './endpoint.ts'
import { several } from './filters.ts'
import { defaultLimit, maxIds, maxLimit } from './paging.ts'
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

const IdsParameter = several(
  Type.String({ maxLength: 40 }),
  maxIds,
  'Return only the records with these IDs.',
)

const UpdatedAfter = Type.String({
  format: 'date-time',
  description:
    'Return only records that changed at or after this time. A change appears when it is committed, which can be seconds after its time: to poll, pass the time of your previous request minus one minute.',
})

/** The parameters of every list. One whose records have `updated_at` also takes `updated_after`. */
function selectionParameters({ responses }: Endpoint) {
  const { data } = (responses[200] as TObject).properties
  const item = (data as { items?: TObject } | undefined)?.items
  return {
    ids: Type.Optional(IdsParameter),
    ...(item?.properties?.['updated_at'] === undefined ? {} : { updated_after: Type.Optional(UpdatedAfter) }),
  }
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
export const querySchema = (endpoint: Endpoint): TObject => {
  const { query, list, counts, fields } = endpoint
  const selecting = counts ?? (list && endpoint)
  return Type.Object(
    {
      ...query?.properties,
      ...(selecting ? selectionParameters(selecting) : {}),
      ...(list ? listParameters : {}),
      ...(fields ? fieldsParameter : {}),
    },
    { additionalProperties: false },
  )
}

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
    const texts = Object.create(null) as Record<string, string>
    let repeated: string | undefined
    for (const [name, text] of new URLSearchParams(query)) {
      if (Object.hasOwn(texts, name)) repeated ??= name
      texts[name] = text
    }
    // A cursor never fails validation: an unreadable one restarts the list.
    const { cursor: _, ...rest } = texts
    const issue = textIssue(rest)
    if (issue !== undefined) throw ValidationFailed([issue])
    if (repeated !== undefined) throw ValidationFailed([{ path: repeated, message: 'must be given once' }])
    const values = Object.create(null) as Record<string, unknown>
    for (const name in texts)
      values[name] = Object.hasOwn(schema.properties, name)
        ? coerce(texts[name] ?? '', schema.properties[name])
        : texts[name]
    try {
      validate(values)
    } catch (error) {
      throw ofParameters(error, schema)
    }
    for (const name of times) if (typeof values[name] === 'string') values[name] = isoTime(values[name])
    return values
  }
}

/** Names the parameter instead of one of its values, which have no place in a query string. */
function ofParameters(error: unknown, { properties }: TObject): unknown {
  if (!(error instanceof AppError)) return error
  const issues = new Map<string, string>()
  for (const { path, message } of error.body.details ?? []) {
    const name = Object.hasOwn(properties, path) ? path : path.replace(/\.\d+$/, '')
    const at = Object.hasOwn(properties, name) ? name : path
    if (!issues.has(at)) issues.set(at, message)
  }
  return ValidationFailed([...issues].map(([path, message]) => ({ path, message })))
}

/**
 * Splits the text at its commas if the schema expects several values. Converts it to a number or a boolean if the
 * schema expects one and the text is one. Otherwise validation reports the text.
 */
function coerce(text: string, schema: TSchema | undefined): unknown {
  const { type, items } = (schema ?? {}) as { type?: string; items?: TSchema }
  if (type === 'array') return text.split(',').map((one) => coerce(one, items))
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return (type === 'integer' || type === 'number') && /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text
}
