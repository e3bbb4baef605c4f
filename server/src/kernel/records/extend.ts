import { type Static, type TObject, type TSchema, type TUnsafe, Type } from 'typebox'
import type { Fields, ShownOf } from './fields.ts'
import { type RecordType, checkAlike } from './record.ts'

type Members = Readonly<Record<string, TSchema>>

/** The schema of a response that shows a record with computed members in addition to its fields, or in place of them. */
export function extendRecord<F extends Fields, M extends Members>(
  title: string,
  { Record: schema }: RecordType<F>,
  members: M,
  example: Partial<Omit<ShownOf<F>, keyof M>> & { [K in keyof M]: Static<M[K]> },
): TUnsafe<Omit<ShownOf<F>, keyof M> & { [K in keyof M]: Static<M[K]> }> {
  const { properties, examples = [] } = schema as unknown as TObject & { examples?: object[] }
  return Type.Object(
    { ...properties, ...members },
    { title, examples: [{ ...examples[0], ...example }] },
  ) as unknown as TUnsafe<Omit<ShownOf<F>, keyof M> & { [K in keyof M]: Static<M[K]> }>
}

/**
 * The schema of a `Draft` or a `Patch` with additional members that are not fields, such as a condition of the
 * request.
 */
export function extendBody<T, const M extends Members>(
  body: TUnsafe<T>,
  members: M,
): TUnsafe<T & { [K in keyof M]?: Static<M[K]> }> {
  const { properties, ...rest } = body as unknown as TObject
  const optional = Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)])
  const extended = Type.Object({ ...properties, ...Object.fromEntries(optional) }, bodyOptions(rest))
  checkAlike(body, extended)
  return extended as unknown as TUnsafe<T & { [K in keyof M]?: Static<M[K]> }>
}

/** The title, description, and examples, without what follows from the members. */
const bodyOptions = ({ type: _, required: __, ...options }: Record<string, unknown>) => options
