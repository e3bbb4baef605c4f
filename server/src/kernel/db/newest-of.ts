import type { Page } from '../http/paging.ts'
import { within } from '../reach.ts'
import type { Db } from './handles.ts'
import { type Sql, empty, join, raw, sql } from './sql.ts'

interface Series {
  table: string
  /** The column of the member whose record it is. */
  owner: string
  /** A condition of every index that may serve, with `and`. */
  rows?: Sql
  /** What else is wanted, with `and`. */
  where?: Sql
  /** Rows that have one of the values in each of these columns. */
  columns?: Readonly<Record<string, readonly string[]>>
  /** Rows of these months, by a column that counts them; see `monthsOf`. */
  months?: Months | undefined
}

interface Months {
  column: string
  first: Sql
  last: Sql
}

/** The months from one time to another, dates or times in UTC; undefined if neither is given. */
export const monthsOf = (column: string, from: Sql | undefined, to: Sql | undefined): Months | undefined =>
  from === undefined && to === undefined
    ? undefined
    : { column, first: monthOf(from ?? sql`date '0001-01-01'`), last: monthOf(to ?? sql`date '9999-12-31'`) }

/** Since the year 0, as the generated columns count them. */
const monthOf = (time: Sql): Sql =>
  sql`(extract(year from ${time}) * 12 + extract(month from ${time}))::integer`

/** A parameter as a date, or as a time in UTC. */
export const dateOf = (date: string | undefined): Sql | undefined =>
  date === undefined ? undefined : sql`${date}::date`
export const utcOf = (time: string | undefined): Sql | undefined =>
  time === undefined ? undefined : sql`${time}::timestamptz at time zone 'UTC'`

/** Of the reach of so many members, the rows of each are read by themselves; a larger one is that of most of a workspace. */
const mostOwners = 100
const mostOwnersByMonth = 20

/**
 * ` and id = any (…)`: a page of the rows that have a member in reach, one of the values of each column and one of the months.
 * An index has the rows of each combination in the order of their ids, so it takes the newest of each: however few there are,
 * and wherever they are among the others, it reads no others. Empty if nothing is to be combined.
 */
export function newestOf(db: Db, page: Page, all: Series): Sql {
  const { table, owner, rows = empty, where = empty, columns = {}, months } = all
  const mostAtOnce = months === undefined ? mostOwners : mostOwnersByMonth
  const owners = db.reach === 'all' || db.reach.length > mostAtOnce ? undefined : db.reach
  const values = { ...(owners && { [owner]: owners }), ...columns }
  const names = [...Object.keys(values), ...(months === undefined ? [] : [months.column])]
  if (names.length === 0) return empty
  const series = Object.entries(values).map(
    ([name, list]) => sql`unnest(${list}::text[]) as ${raw(`wanted_${name}`)}`,
  )
  if (months !== undefined) series.push(monthsIn(db, all, months))
  const isOfSeries = names.map((name) => raw(` and ${name} = wanted_${name}`))
  return sql` and id = any (array(
    select newest.id from ${join(series)}, lateral (
      select id from ${raw(table)}
      where workspace_id = ${db.workspaceId} ${rows} ${join(isOfSeries, '')} ${where}
        ${owners === undefined ? within(db, raw(owner)) : empty} ${page.keyset()}) newest
    where true ${page.keyset('newest')}))`
}

/** The months that have rows, each found by the index from the one before. */
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
