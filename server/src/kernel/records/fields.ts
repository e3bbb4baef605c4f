import { type Static, type TSchema, Type } from 'typebox'
import { masked } from '../masking/masked.ts'
import { Timestamp, nullable } from '../schemas.ts'

/** Where a field appears: in `POST` bodies, in `PATCH` bodies, in responses. Every field is a column. */
interface Places {
  draft: 'required' | 'optional' | 'absent'
  patch: boolean
  shown: boolean
}

/** One field of a record. `T` is the value that is stored. */
export interface Field<T = unknown, P extends Places = Places> {
  /** What a body may hold, and what is stored. */
  readonly schema: TSchema
  /** What a response holds, where that differs. */
  readonly shown?: TSchema
  /** Whether it may be null otherwise. */
  readonly nullable: boolean
  readonly places: P
  /** The value of a new record whose draft leaves it out. */
  readonly initial: unknown
  /** Brings a value into the form in which it is stored. A method, so that any field is a `Field<unknown>`. */
  normalize?(value: T): T
}

interface Options<T> {
  shown?: TSchema
  normalize?(value: T): T
}

interface At<D extends Places['draft'], P extends boolean, S extends boolean> extends Places {
  draft: D
  patch: P
  shown: S
}

/** May be left out, and cleared by null. */
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

/** Must be in every draft, and is never null. */
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

/** Has this value where the draft leaves it out, and is never null. */
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

/** Set by `PATCH` alone; new records have the initial value. */
export const patchOnly = <S extends TSchema>(
  schema: S,
  initial: Static<S>,
): Field<Static<S>, At<'absent', true, true>> => ({
  ...defaulted(schema, initial),
  places: { draft: 'absent', patch: true, shown: true },
})

/**
 * The same field, fixed once the record exists.
 * @public
 */
export const createOnly = <T, P extends Places>(
  field: Field<T, P>,
): Field<T, At<P['draft'], false, true>> => ({
  ...field,
  places: { draft: field.places.draft, patch: false, shown: true },
})

/** Written by the server alone. The schema is of the stored value, null included. */
export const readOnly = <S extends TSchema>(
  schema: S,
  initial: Static<S>,
): Field<Static<S>, At<'absent', false, true>> => ({
  ...defaulted(schema, initial),
  places: { draft: 'absent', patch: false, shown: true },
})

/** A column that responses do not show. */
export const internal = <S extends TSchema>(
  schema: S,
  initial: Static<S>,
): Field<Static<S>, At<'absent', false, false>> => ({
  ...defaulted(schema, initial),
  places: { draft: 'absent', patch: false, shown: false },
})

/** Who created it: the actor as the journal has it. Of type `json`, like every object in a column. */
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

/** When a DELETE hid it, for records that can be restored. */
export const deletedAt = () => internal(nullable(Timestamp), null)

/**
 * The id of another record of the workspace, such as a `member`. By convention the foreign key is named after table and field
 * (`contacts_owner` for `owner_id` of `contacts`): a write that violates it is 404 for the field.
 */
export const reference = (noun: string, description: string) =>
  Type.String({ maxLength: 40, description, 'x-references': noun })

/** A line or a text of at most so many characters. */
export const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) })

/** The same, of free text: phone numbers and email addresses in it are masked. */
export const freeText = (maxLength: number, description?: string) =>
  masked('text', text(maxLength, description))

export type Fields = Readonly<Record<string, Field>>

type ValueOf<F> = F extends Field<infer T, Places> ? T : never
type Flat<T> = { [K in keyof T]: T[K] }
type Where<F extends Fields, P> = {
  [K in keyof F]: F[K] extends { readonly places: P } ? K : never
}[keyof F]

/** What a `POST` body holds. */
export type DraftOf<F extends Fields> = Flat<
  { [K in Where<F, { draft: 'required' }>]: NonNullable<ValueOf<F[K]>> } & {
    [K in Where<F, { draft: 'optional' }>]?: NonNullable<ValueOf<F[K]>>
  }
>

/** What a `PATCH` body holds. */
export type PatchOf<F extends Fields> = Flat<{ [K in Where<F, { patch: true }>]?: ValueOf<F[K]> }>

interface Basics {
  id: string
  created_at: string
  updated_at: string
}

/** The record as it is stored. */
export type RowOf<F extends Fields> = Flat<Basics & { -readonly [K in keyof F]: ValueOf<F[K]> }>

/** The record as a response shows it. */
export type ShownOf<F extends Fields> = Flat<Basics & { [K in Where<F, { shown: true }>]: ValueOf<F[K]> }>
