import { type Static, type TSchema, Type } from 'typebox'
import { masked } from '../masking/masked.ts'
import { Timestamp, nullable } from '../schemas.ts'

/** Where a field appears: in `POST` bodies, in `PATCH` bodies, and in responses. Every field is a column. */
interface Places {
  draft: 'required' | 'optional' | 'absent'
  patch: boolean
  shown: boolean
}

/** One field of a record. `T` is the type of the stored value. */
export interface Field<T = unknown, P extends Places = Places> {
  /** The schema of the value in request bodies and in the database. */
  readonly schema: TSchema
  /** The schema of the value in the database and in responses, if others than the authors of bodies decide it, too. */
  readonly stored?: TSchema
  /** The schema of the value in responses, if it differs. */
  readonly shown?: TSchema
  /** Whether the field may be null in the database and in `PATCH` bodies. */
  readonly nullable: boolean
  readonly places: P
  /** The value in a new record if the draft omits the field. */
  readonly initial: unknown
  /** Converts a value to its stored form. Declared as a method, so that any field is a `Field<unknown>`. */
  normalize?(value: T): T
}

interface Options<T> {
  stored?: TSchema
  shown?: TSchema
  normalize?(value: T): T
}

interface At<D extends Places['draft'], P extends boolean, S extends boolean> extends Places {
  draft: D
  patch: P
  shown: S
}

/** A field that a draft may omit and that null clears. */
export const optional = <S extends TSchema>(
  schema: S,
  options: Options<Static<S> | null> = {},
): Field<Static<S> | null, At<'optional', true, true>> => ({
  schema,
  nullable: true,
  places: { draft: 'optional', patch: true, shown: true },
  initial: null,
  ...options,
})

/** A field that every draft must have. It is never null. */
export const required = <S extends TSchema>(
  schema: S,
  options: Options<Static<S>> = {},
): Field<Static<S>, At<'required', true, true>> => ({
  schema,
  nullable: false,
  places: { draft: 'required', patch: true, shown: true },
  initial: undefined,
  ...options,
})

/** A field with a default: `initial` is its value if the draft omits it. It is never null. */
export const defaulted = <S extends TSchema>(
  schema: S,
  initial: Static<S>,
  options: Options<Static<S>> = {},
): Field<Static<S>, At<'optional', true, true>> => ({
  schema,
  nullable: false,
  places: { draft: 'optional', patch: true, shown: true },
  initial,
  ...options,
})

/** A field that only `PATCH` sets. New records have the initial value. */
export const patchOnly = <S extends TSchema>(
  schema: S,
  initial: Static<S>,
): Field<Static<S>, At<'absent', true, true>> => ({
  ...defaulted(schema, initial),
  places: { draft: 'absent', patch: true, shown: true },
})

/**
 * The same field, except that it cannot change after the record is created.
 * @public
 */
export const createOnly = <T, P extends Places>(
  field: Field<T, P>,
): Field<T, At<P['draft'], false, true>> => ({
  ...field,
  places: { draft: field.places.draft, patch: false, shown: true },
})

/** A field that only the server writes. The schema is that of the stored value, including null. */
export const readOnly = <S extends TSchema>(
  schema: S,
  initial: Static<S>,
): Field<Static<S>, At<'absent', false, true>> => ({
  ...defaulted(schema, initial),
  places: { draft: 'absent', patch: false, shown: true },
})

/** A column that responses omit. */
export const internal = <S extends TSchema>(
  schema: S,
  initial: Static<S>,
): Field<Static<S>, At<'absent', false, false>> => ({
  ...defaulted(schema, initial),
  places: { draft: 'absent', patch: false, shown: false },
})

/** The actor who created the record, as in the journal. The column's type is `json`, like that of every object. */
export const createdBy = () =>
  readOnly(
    Type.Object(
      {
        type: Type.String({ description: 'Such as `api_key`, `oauth_app`, `member`, or `system`.' }),
        id: nullable(Type.String()),
      },
      { description: 'Who created it.' },
    ),
    { type: 'system', id: null },
  )

/** When a DELETE hid the record, for records that can be restored. */
export const deletedAt = () => internal(nullable(Timestamp), null)

/**
 * The id of another record of the workspace, such as a `member`. By convention, the foreign key is named after the
 * table and the field: `contacts_owner` for `owner_id` of `contacts`. A write that violates it returns a 404 that
 * names the field.
 */
export const reference = (noun: string, description: string) =>
  Type.String({ maxLength: 40, description, 'x-references': noun })

/** Text of at most this many characters. */
export const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) })

/** The name of a time zone; see `toTimezone`. */
export const zoneName = (description: string) => ({ ...text(64, description), 'x-text': 'timezone' })

/** Free text of at most this many characters. Phone numbers and email addresses in it are masked. */
export const freeText = (maxLength: number, description?: string) =>
  masked('text', text(maxLength, description))

export type Fields = Readonly<Record<string, Field>>

type ValueOf<F> = F extends Field<infer T, Places> ? T : never
type Flat<T> = { [K in keyof T]: T[K] }
type Where<F extends Fields, P> = {
  [K in keyof F]: F[K] extends { readonly places: P } ? K : never
}[keyof F]

/** A `POST` body. */
export type DraftOf<F extends Fields> = Flat<
  { [K in Where<F, { draft: 'required' }>]: NonNullable<ValueOf<F[K]>> } & {
    [K in Where<F, { draft: 'optional' }>]?: NonNullable<ValueOf<F[K]>>
  }
>

/** A `PATCH` body. */
export type PatchOf<F extends Fields> = Flat<{ [K in Where<F, { patch: true }>]?: ValueOf<F[K]> }>

interface Basics {
  id: string
  created_at: string
  updated_at: string
}

/** The record as stored. */
export type RowOf<F extends Fields> = Flat<Basics & { -readonly [K in keyof F]: ValueOf<F[K]> }>

/** The record as responses show it. */
export type ShownOf<F extends Fields> = Flat<Basics & { [K in Where<F, { shown: true }>]: ValueOf<F[K]> }>
