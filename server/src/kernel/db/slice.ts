import { type Sql, empty, raw, sql } from './sql.ts'

/** Which records of a list to return, whatever the list: the parameters that all lists share. */
export interface Selection {
  readonly ids?: readonly string[] | undefined
  /** Records that changed at this time or later. */
  readonly updated_after?: string | undefined
}

/** A part of a list by ID, newest first: rows with IDs before `before`, at most `limit`. */
export interface Slice {
  readonly before: string | null
  readonly limit: number
  readonly selection?: Selection
}

/** The name of a column, after the alias of its table if there is one. */
export const columnOf = (alias: string, name: string): Sql => raw(alias === '' ? name : `${alias}.${name}`)

/**
 * ` and id = any (…) and updated_at >= …`. `updatedAt` is what the record shows as `updated_at`, if it is not the column
 * of that name.
 */
export const selectedBy = (
  { ids, updated_after }: Selection = {},
  alias = '',
  updatedAt = columnOf(alias, 'updated_at'),
): Sql => sql`
  ${ids === undefined ? empty : sql`and ${columnOf(alias, 'id')} = any (${ids}::text[])`}
  ${updated_after === undefined ? empty : sql`and ${updatedAt} >= ${updated_after}::timestamptz`}`

/** The end of a query that reads a slice: ` and id < … order by id desc limit …`. */
export const newestOfSlice = ({ before, limit, selection }: Slice, updatedAt?: Sql): Sql => sql`
  ${selectedBy(selection, '', updatedAt)} ${before === null ? empty : sql`and id < ${before}`}
  order by id desc limit ${limit}`

/** The conditions of a list whose rows a database function selects, with those of the selection; see `columns_equal`. */
export const conditionsWith = (conditions: object, { ids, updated_after }: Selection): string =>
  JSON.stringify({
    ...conditions,
    ...(ids !== undefined && { id: ids }),
    ...(updated_after !== undefined && { updated_at: { from: updated_after } }),
  })
