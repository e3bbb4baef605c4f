import type { Db } from '../db/handles.ts'
import { type Sql, empty, join, raw, sql } from '../db/sql.ts'
import { within } from '../reach.ts'
import type { Page } from './paging.ts'

interface Series {
  table: string
  /** The column with the member to whom the record belongs. */
  owner: string
  /** The column with a member who sees the record although it belongs to another, which is rare. */
  author?: string
  /** The condition of partial indexes: every index that may serve the query must have it. Begins with `and`. */
  rows?: Sql
  /** Further conditions. Begins with `and`. */
  where?: Sql
  /** For each column, the accepted values. */
  columns?: Readonly<Record<string, readonly string[]>>
  /** Limits the rows to these months, by a column that counts months; see `monthsOf`. */
  months?: Months | undefined
}

interface Months {
  column: string
  first: Sql
  last: Sql
}

/** The months between two dates or UTC times. Undefined if neither is given. */
export const monthsOf = (column: string, from: Sql | undefined, to: Sql | undefined): Months | undefined =>
  from === undefined && to === undefined
    ? undefined
    : { column, first: monthOf(from ?? sql`date '0001-01-01'`), last: monthOf(to ?? sql`date '9999-12-31'`) }

/** Months since the year 0, as the generated columns count them. */
const monthOf = (time: Sql): Sql =>
  sql`(extract(year from ${time}) * 12 + extract(month from ${time}))::integer`

/** A parameter as a date, or as a UTC time. */
export const dateOf = (date: string | undefined): Sql | undefined =>
  date === undefined ? undefined : sql`${date}::date`
export const utcOf = (time: string | undefined): Sql | undefined =>
  time === undefined ? undefined : sql`${time}::timestamptz at time zone 'UTC'`

/**
 * Up to this many members in reach, each member's rows are read separately. A larger reach covers most of a
 * workspace.
 */
const mostOwners = 100
const mostOwnersByMonth = 20

/**
 * ` and id = any (…)`: selects a page of rows with a member in reach, one of the values of each column, and one of
 * the months. For each combination, an index has the rows in the order of their ids, and the query takes the newest
 * of each. However few these are, and wherever they are among the others, it reads no other rows. Empty if there is
 * nothing to combine. For a page with a selection, only the conditions.
 */
export function newestOf(db: Db, page: Page, all: Series): Sql {
  const { table, owner, author, rows = empty, where = empty, columns = {}, months } = all
  const mostAtOnce = months === undefined ? mostOwners : mostOwnersByMonth
  const owners = db.reach === 'all' || db.reach.length > mostAtOnce ? undefined : db.reach
  const values = { ...(owners && { [owner]: owners }), ...columns }
  const names = [...Object.keys(values), ...(months === undefined ? [] : [months.column])]
  if (names.length === 0) return empty
  const isOfColumns = Object.entries(columns).reduce(
    (before, [name, list]) => sql`${before} and ${raw(name)} = any (${list}::text[])`,
    where,
  )
  // The records of a selection are few, and an index of their own finds them.
  if (page.selection.ids !== undefined || page.selection.updated_after !== undefined) return isOfColumns
  const series = Object.entries(values).map(
    ([name, list]) => sql`unnest(${list}::text[]) as ${raw(`wanted_${name}`)}`,
  )
  if (months !== undefined) series.push(monthsIn(db, all, months))
  const isOfSeries = names.map((name) => raw(` and ${name} = wanted_${name}`))
  const written =
    author === undefined || db.reach === 'all'
      ? empty
      : sql` || array(
    select id from ${raw(table)}
    where workspace_id = ${db.workspaceId} ${rows} ${within(db, raw(author))} ${isOfColumns} ${page.keyset()})`
  return sql` and id = any (array(
    select newest.id from ${join(series)}, lateral (
      select id from ${raw(table)}
      where workspace_id = ${db.workspaceId} ${rows} ${join(isOfSeries, '')} ${where}
        ${owners === undefined ? within(db, raw(owner)) : empty} ${page.keyset()}) newest
    where true ${page.ending('newest')})${written})`
}

/** The months that have rows. The index finds each month from the one before it. */
function monthsIn(db: Db, { table, rows = empty }: Series, { column, first, last }: Months): Sql {
  const name = raw(column)
  const next = (after: Sql) => sql`(
      select ${name} from ${raw(table)}
      where workspace_id = ${db.workspaceId} ${rows} and ${name} ${after} and ${name} <= ${last}
      order by ${name} limit 1)`
  return sql`(
    with recursive months (month) as (
      ${next(sql`>= ${first}`)} union all select ${next(sql`> month`)} from months where month is not null
    ) select month from months where month is not null) as of_months (${raw(`wanted_${column}`)})`
}
