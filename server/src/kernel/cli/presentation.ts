type Json = Readonly<Record<string, unknown>>

/** Characters of a cell. Only an id may be longer. */
const maxCell = 40

/** Characters of a line without a terminal. */
const usualWidth = 160

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/**
 * Formats records as a table with a heading, as wide as the terminal: the id, then what people read, then times, then
 * ids of other records. Leaves out the columns that are empty, and those that do not fit. `fields`: exactly these
 * columns, however wide.
 */
export function tableText(
  rows: readonly Json[],
  fields?: readonly string[],
  width = process.stdout.columns ?? usualWidth,
): string {
  const names = fields === undefined ? columnsOf(rows) : ['id', ...fields.filter((name) => name !== 'id')]
  const columns = names.map((name) => [
    name.toUpperCase(),
    ...rows.map((row) => (isId(name) ? textOf(row[name]) : shortened(textOf(row[name])))),
  ])
  const shown = fields === undefined ? fitting(columns, width) : columns
  return aligned(['', ...rows].map((_, at) => shown.map((column) => column[at] ?? '')))
}

/**
 * Makes a function that formats further rows of a table with these columns. The first rows have the heading. A column gets
 * wider with its cells, never narrower.
 */
export function growingTable(fields: readonly string[]): (rows: readonly Json[]) => string {
  let least = fields.map((name) => name.toUpperCase())
  let heading: readonly string[][] = [least]
  return (rows) => {
    const lines = [...heading, ...rows.map((row) => fields.map((name) => shortened(textOf(row[name]))))]
    heading = []
    least = least.map((_, i) =>
      ' '.repeat(Math.max(...[least, ...lines].map((line) => width(line[i] ?? '')))),
    )
    return aligned([least, ...lines])
      .split('\n')
      .slice(1)
      .join('\n')
  }
}

function columnsOf(rows: readonly Json[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return names
    .filter((name) => rows.some((row) => !isEmpty(row[name])))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
}

const isId = (name: string) => name === 'id' || /_ids?$/.test(name)

function rankOf(name: string): number {
  if (name === 'id') return 0
  if (isId(name)) return 3
  return name.endsWith('_at') ? 2 : 1
}

/** The columns that fit between the first and the width, at least two. */
function fitting(columns: readonly string[][], width: number): readonly string[][] {
  let used = 0
  return columns.filter((column, at) => {
    const wide = Math.max(...column.map((cell) => [...cell].length)) + 2
    const fits = at < 2 || used + wide <= width + 2
    if (fits) used += wide
    return fits
  })
}

const shortened = (text: string) =>
  [...text].length > maxCell ? `${[...text].slice(0, maxCell - 1).join('')}…` : text

/** A value on one line. Another record is its name, if it has one. */
function textOf(value: unknown): string {
  if (isEmpty(value)) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (isObject(value)) return nameOf(value) ?? JSON.stringify(value)
  return String(value).replaceAll(/\s+/g, ' ')
}

function nameOf({ name, first_name: first, last_name: last }: Json): string | undefined {
  const full = [first, last].filter((part) => typeof part === 'string').join(' ')
  return typeof name === 'string' ? name : full || undefined
}

/**
 * Formats one record: a member on each line, lists of records as tables below, and deeper values as JSON. Members keep
 * the names of the API, which are also those of the options.
 */
export function recordText(record: Json): string {
  const entries = Object.entries(record)
  const lines = entries.flatMap(([name, value]) => linesOf(name, value))
  const sections = entries.flatMap(([name, value]) =>
    isSection(value) ? [`${name}:\n${sectionText(value)}`] : [],
  )
  return [...(lines.length === 0 ? [] : [aligned(lines)]), ...sections].join('\n\n')
}

function linesOf(name: string, value: unknown): string[][] {
  if (isSection(value)) return []
  if (isObject(value) && nameOf(value) === undefined)
    return Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, textOf(one)])
  return [[name, typeof value === 'string' && value !== '' ? value : textOf(value)]]
}

/** Whether the value needs more than lines: a list of objects, or an object that contains others. */
const isSection = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(isObject)
    : isObject(value) && Object.values(value).some((inner) => typeof inner === 'object' && !isEmpty(inner))

const sectionText = (value: unknown): string =>
  Array.isArray(value) && value.every((one) => isObject(one) && !Object.values(one).some(isSection))
    ? tableText(value as Json[])
    : JSON.stringify(value, null, 2)

/** Pads the cells of each column to the same width. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => width(line[i] ?? ''))))
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - width(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const width = (text: string) => [...text].length
