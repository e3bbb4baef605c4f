import { type Sql, join, raw, sql } from '../db/sql.ts'

/** A column's name in SQL. Quotes reserved words. */
export const columnName = (name: string): string => (name === 'from' || name === 'to' ? `"${name}"` : name)

/**
 * ``insert into contacts ${values(row)}``: the column list and its values. Keys must come from code, never from a
 * request.
 */
export const values = (row: object): Sql => {
  const entries = Object.entries(row)
  const names = raw(entries.map(([name]) => columnName(name)).join(', '))
  return sql`(${names}) values (${join(entries.map(([, value]) => value))})`
}

/** ``update contacts set ${assignments(changed)}``. Keys must come from code, never from a request. */
export const assignments = (changed: object): Sql =>
  join(Object.entries(changed).map(([name, value]) => sql`${raw(columnName(name))} = ${value}`))
