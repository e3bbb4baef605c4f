import pg from 'pg'

const int8 = 20
const date = 1082
const timestamptz = 1184

/** PostgreSQL's `2026-11-20 19:47:00.12+00` as ISO 8601 with milliseconds. Connections are set to UTC. */
function isoTimestamp(text: string): string {
  const point = text.indexOf('.')
  const end = text.lastIndexOf('+')
  const seconds = text.slice(0, point < 0 ? end : point)
  const fraction = point < 0 ? '' : text.slice(point + 1, end)
  return `${seconds.replace(' ', 'T')}.${fraction.padEnd(3, '0')}Z`
}

const parsers = new Map<number, (text: string) => unknown>([
  [int8, Number],
  [date, String],
  [timestamptz, isoTimestamp],
])

/** How a column's text becomes a JavaScript value: timestamps as ISO strings, bigint as number. */
export const parserOf = (oid: number): ((text: string) => unknown) =>
  parsers.get(oid) ?? (pg.types.getTypeParser(oid, 'text') as (text: string) => unknown)
