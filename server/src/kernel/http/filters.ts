import { type Static, type TArray, type TSchema, type TUnsafe, Type } from 'typebox'
import { type Sql, join, raw, sql } from '../db/sql.ts'
import { Timestamp } from '../schemas.ts'

/**
 * Several values of a query parameter, separated by commas.
 * @public
 */
export const several = <S extends TSchema>(schema: S, maxItems = 100, description?: string) =>
  Type.Array(schema, { minItems: 1, maxItems, ...(description === undefined ? {} : { description }) })

/** One query parameter of a list. */
interface Filter<S extends TSchema = TSchema> {
  readonly schema: S
  /**
   * The SQL condition for a value. Undefined if the query applies the filter itself. `column` defaults to the
   * parameter's name.
   */
  readonly condition?: (column: Sql, value: unknown) => Sql
  readonly column?: string
}

/** The column has exactly this value. */
export const equals = <S extends TSchema>(schema: S, column?: string): Filter<S> => ({
  schema,
  condition: (name, value) => sql`${name} = ${value}`,
  ...(column === undefined ? {} : { column }),
})

/** The column has one of these values. For a single one, an index has the rows in the list's order. */
export const oneOf = <S extends TSchema>(schema: S, column?: string): Filter<TArray<S>> => ({
  schema: several(schema),
  condition: (name, value) => hasOneOf(name, value as readonly string[]),
  ...(column === undefined ? {} : { column }),
})

/** The condition of `oneOf`. */
export const hasOneOf = (column: Sql, values: readonly string[]): Sql =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any (${values}::text[])`

/**
 * The column contains this text; case is ignored.
 * @public
 */
export const contains = <S extends TSchema>(schema: S, column?: string): Filter<S> => ({
  schema,
  condition: (name, value) => sql`${name} ilike ${`%${String(value).replaceAll(/[\\%_]/g, '\\$&')}%`}`,
  ...(column === undefined ? {} : { column }),
})

/**
 * The column is at this time or later.
 * @public
 */
export const from = (column: string, description?: string): Filter<typeof Timestamp> => ({
  schema: description === undefined ? Timestamp : Type.String({ ...Timestamp, description }),
  condition: (name, value) => sql`${name} >= ${value}::timestamptz`,
  column,
})

/**
 * The column is before this time.
 * @public
 */
export const before = (column: string, description?: string): Filter<typeof Timestamp> => ({
  schema: description === undefined ? Timestamp : Type.String({ ...Timestamp, description }),
  condition: (name, value) => sql`${name} < ${value}::timestamptz`,
  column,
})

/** A parameter that the list's query applies itself. */
export const custom = <S extends TSchema>(schema: S): Filter<S> => ({ schema })

type Values<F> = { [K in keyof F]?: F[K] extends Filter<infer S> ? Static<S> : never }

export interface Filters<F> {
  readonly query: TUnsafe<Values<F>>
  /** ` and stage = … and source = …`: one condition for each filter that has a value. `alias` is the table's alias. */
  where(values: Values<F>, alias?: string): Sql
}

/** Declares a list's filters once, for both the query parameters and their SQL conditions. */
export function filters<F extends Readonly<Record<string, Filter>>>(declared: F): Filters<F> {
  const entries = Object.entries(declared)
  return {
    query: Type.Object(
      Object.fromEntries(entries.map(([name, { schema }]) => [name, Type.Optional(schema)])),
    ) as unknown as TUnsafe<Values<F>>,
    where(values, alias) {
      const conditions = entries.flatMap(([name, { condition, column = name }]) => {
        const value = (values as Record<string, unknown>)[name]
        if (condition === undefined || value === undefined) return []
        return [sql` and ${condition(raw(alias === undefined ? column : `${alias}.${column}`), value)}`]
      })
      return conditions.length === 0 ? sql`` : join(conditions, '')
    },
  }
}
