import pg from 'pg'

const int8 = 20
const date = 1082
const timestamptz = 1184
const numeric = 1700
/** `text[]`, which pg's list of types lacks. */
const textArray: number = 1009

/** Converts PostgreSQL's `2026-11-20 19:47:00.12+00` to ISO 8601 with milliseconds. Connections are set to UTC. */
function isoTimestamp(text: string): string {
  if (text.length === '2026-11-20 19:47:00.123+00'.length)
    return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
  const point = text.indexOf('.')
  const end = text.lastIndexOf('+')
  const seconds = text.slice(0, point < 0 ? end : point)
  const fraction = point < 0 ? '' : text.slice(point + 1, end)
  return `${seconds.replace(' ', 'T')}.${fraction.padEnd(3, '0')}Z`
}

type Parse = (text: string) => unknown

const parserOfPg = pg.types.getTypeParser as (oid: number) => Parse
const anyArray = parserOfPg(textArray)

/** Parses `{buyer,condo}`. An array with quotes or nulls goes to pg's parser, which takes three times as long. */
function textsOf(array: string): unknown {
  if (array === '{}') return []
  return /["\\]|NULL/.test(array) ? anyArray(array) : array.slice(1, -1).split(',')
}

const parsers = new Map<number, Parse>([
  [int8, Number],
  [numeric, Number],
  [date, String],
  [timestamptz, isoTimestamp],
  [textArray, textsOf],
])

/**
 * The parser for a column's type: timestamps become ISO strings; bigint and numeric (amounts of money) become
 * numbers.
 */
const parserOf = (oid: number): Parse => parsers.get(oid) ?? parserOfPg(oid)

type Row = Record<string, unknown>

/** Makes a row from the texts of its columns. */
export type RowReader = (texts: readonly (string | null)[]) => Row

/**
 * Makes a reader that is compiled for the columns: JavaScript engines create an object from a literal five times as
 * fast as by adding members by name, and this runs for every row that is read.
 */
export function rowReader(columns: readonly { name: string; dataTypeID: number }[]): RowReader {
  const members = columns.map(
    ({ name }, i) => `${JSON.stringify(name)}: texts[${i}] === null ? null : parse[${i}](texts[${i}])`,
  )
  // oxlint-disable-next-line eslint/no-new-func -- its text is made of column names, as string literals
  const read = new Function('texts', 'parse', `return { ${members.join(', ')} }`)
  const parse = columns.map(({ dataTypeID }) => parserOf(dataTypeID))
  return (texts) => read(texts, parse) as Row
}
