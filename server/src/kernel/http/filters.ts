import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { type Sql, join, raw, sql } from '../db/sql.ts'
import { Timestamp } from '../schemas.ts'

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
export const from = (column: string): Filter<typeof Timestamp> => ({
  schema: Timestamp,
  condition: (name, value) => sql`${name} >= ${value}::timestamptz`,
  column,
})

/**
 * The column is before this time.
 * @public
 */
export const before = (column: string): Filter<typeof Timestamp> => ({
  schema: Timestamp,
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
