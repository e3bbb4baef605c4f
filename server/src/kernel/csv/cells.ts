import { isDate } from '../schemas.ts'

/** Invisible characters that programs put into cells: byte order marks, zero-width spaces, marks of direction. */
const invisible = /[\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF\u00AD]/g

/**
 * The text of a cell: without blanks around it, without invisible characters, with line feeds. Excel's ways to say that
 * a number is text, `="02108"` and `'02108`, leave the text.
 */
export function cellText(cell: string): string {
  const text = cell.replaceAll(invisible, '').replaceAll(/\r\n?/g, '\n').trim()
  const [, formula] = /^="([^"]*)"$/.exec(text) ?? []
  if (formula !== undefined) return formula.trim()
  return /^'[\d+=-]/.test(text) ? text.slice(1) : text
}

const none = new Set([
  '-',
  '--',
  '—',
  '–',
  'n/a',
  'na',
  '#n/a',
  'null',
  'none',
  'nil',
  'tbd',
  'unknown',
  '?',
  '.',
])

/** Whether a cell for a number, a date, or one of some words says that there is none: `N/A`, `—`, `TBD`. */
export const saysNone = (text: string): boolean => none.has(text.toLowerCase())

const monthNames = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const again = 'Format the column as text and export it again'

/** What a spreadsheet does to a cell, as the sentence that says so. The second kind only matters in cells that identify something. */
const damages: readonly [form: RegExp, sentence: string, isOfKeys: boolean][] = [
  [/^#{3,}$/, 'is what a spreadsheet shows if a column is too narrow. Widen it and export it again', false],
  [/^#(?:ref!|name\?|value!|div\/0!|num!|null!|spill!|calc!|error!)$/i, 'is the error of a formula', false],
  [/^\d(?:[.,]\d+)?e[+-]\d{1,3}$/i, `was rounded by a spreadsheet. ${again}`, true],
  [/^[1-9]\d{14}0+$/, `was rounded to 15 digits by a spreadsheet. ${again}`, true],
  [
    new RegExp(`^(?:\\d{1,2}-(?:${monthNames})(?:-\\d{2,4})?|(?:${monthNames})-\\d{1,4})$`, 'i'),
    `was turned into a date by a spreadsheet. ${again}`,
    true,
  ],
  [
    /^(?:\d{1,2}\/\d{1,2}\/(?:\d{2}|\d{4})|\d{4}-\d{2}-\d{2})(?: \d{1,2}:\d{2}(?::\d{2})?)?$/,
    `was turned into a date by a spreadsheet. ${again}`,
    true,
  ],
]

/**
 * How a spreadsheet has damaged a cell, in words for the person who exported it: `1.23457E+11`, `5-Nov`, `#####`. Undefined
 * if it has not. `isKey`: the cell identifies something, so that it cannot be a date or a rounded number.
 */
export const damageIn = (text: string, isKey: boolean): string | undefined =>
  damages.find(([form, , isOfKeys]) => (isKey || !isOfKeys) && form.test(text))?.[1]

/** Fullwidth digits, special blanks and dashes in the form that a keyboard writes. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .replace(/^\+ ?/, '')
    .trim()

const currency = String.raw`(?:us ?\$|c ?\$|ca ?\$|usd|cad|eur|gbp|mxn|\$|€|£)`
const amount = new RegExp(
  `^${currency}? ?(-?)${currency}? ?(\\d[\\d ,.'’]*) ?([km]|mil|million|thousand)? ?${currency}?$`,
  'i',
)
const factors: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, mil: 1e6, million: 1e6 }

/** What stands after the number in cells of measures and counts. */
const units =
  / ?(?:sq(?:uare|\.)? ?(?:ft|feet|foot|f)\.?|sqft\.?|sf|ft(?:2|²|\^2)|acres?|ac\.?|beds?|bedrooms?|bdrms?|bds?|brs?|baths?|bathrooms?|bas?|cars?|spaces?|total|\+\/-|approx\.?|per month|\/ ?mo(?:nth)?\.?)$/i

/**
 * The number in a cell: `$1,250,000 `, `1.2M`, `1 250 000`, `1.250.000,50`, `1,840 sq ft`, `2½`. Undefined if it says
 * nothing for sure: `1.25E+06` may be rounded, and `3-4` is a range.
 */
export function numberIn(cell: string): number | undefined {
  // NFKC would make 21/2 of 2½.
  const text = plain(
    cell.replaceAll(/ ?([¼½¾])/g, (_, part: string) => ({ '¼': '.25', '½': '.5', '¾': '.75' })[part] ?? ''),
  )
  let rest = text.replace(/^(?:approx\.?|about|~|ca\.?) ?/i, '').replace(/^\.(?=\d)/, '0.')
  for (let before = ''; before !== rest;) {
    before = rest
    rest = rest.replace(units, '')
  }
  const [, whole, over, under] = /^(\d+)[ -](\d)\/(\d)$/.exec(rest) ?? []
  if (whole !== undefined && Number(under) > 0) return Number(whole) + Number(over) / Number(under)
  const [, bracketed] = /^\((.+)\)$/.exec(rest) ?? []
  const [, minus = '', digits = '', scale] = amount.exec(bracketed ?? rest) ?? []
  const number = decimalOf(digits.trim())
  if (number === undefined) return undefined
  const scaled =
    scale === undefined ? number : Number((number * (factors[scale.toLowerCase()] ?? 1)).toFixed(2))
  return minus !== '' || bracketed !== undefined ? -scaled : scaled
}

/** Reads digits in groups of three, with a decimal point or a decimal comma. One comma before three digits groups. */
function decimalOf(text: string): number | undefined {
  if (/^\d+(?:\.\d*)?$/.test(text)) return Number(text)
  for (const [group, point] of [
    [',', '.'],
    ['.', ','],
    [' ', '.'],
    [' ', ','],
    ["'", '.'],
    ['’', '.'],
  ] as const) {
    const [whole = '', part = '', ...more] = text.split(point)
    const groups = whole.split(group)
    const isGrouped =
      groups.length === 1 || groups.every((one, at) => (at === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(one))
    const isDecimal = point === '.' || groups.length > 1 || part.length < 3
    if (more.length === 0 && isGrouped && isDecimal && /^\d+$/.test(groups.join('')) && /^\d*$/.test(part))
      return Number(`${groups.join('')}.${part}`)
  }
  return undefined
}

const months = monthNames.split('|')

/** Excel counts days from here. Its numbers in a cell are dates from 1950 to 2100. */
const excelEpoch = Date.UTC(1899, 11, 30)
const excelDays = { from: 18_264, to: 73_415 }

/**
 * The date in a cell as `YYYY-MM-DD`: `11/5/26` (month first), `5.11.2026` (day first), `5-Nov-26`, `November 5, 2026`,
 * `20261105`, or Excel's number of a day. A time after the date is ignored. Undefined if there is no such date.
 */
export function dateIn(cell: string): string | undefined {
  const text = plain(cell).replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[.,]? /i, '')
  const day = text.replace(
    /(?:T| |, )\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)? ?(?:[ap]\.?m\.?)? ?(?:Z|UTC|[+-]\d{2}:?\d{2})?$/i,
    '',
  )
  if (/^\d{5}(?:\.\d+)?$/.test(day)) {
    const number = Math.floor(Number(day))
    return number < excelDays.from || number > excelDays.to
      ? undefined
      : new Date(excelEpoch + number * 86_400_000).toISOString().slice(0, 10)
  }
  const forms: [RegExp, (parts: string[]) => (string | undefined)[]][] = [
    [/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/, ([year, , month, date]) => [year, month, date]],
    [/^(\d{4})(\d{2})(\d{2})$/, ([year, month, date]) => [year, month, date]],
    [/^(\d{1,2})([-/])(\d{1,2})\2(\d{2}|\d{4})$/, ([month, , date, year]) => [year, month, date]],
    [/^(\d{1,2})\.(\d{1,2})\.(\d{2}|\d{4})$/, ([date, month, year]) => [year, month, date]],
    [
      /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3})[a-z]*\.?,?[ -](\d{2}|\d{4})$/i,
      ([date, name, year]) => [year, monthOf(name), date],
    ],
    [
      /^([a-z]{3})[a-z]*\.?[ -](\d{1,2})(?:st|nd|rd|th)?,?[ -](\d{2}|\d{4})$/i,
      ([name, date, year]) => [year, monthOf(name), date],
    ],
  ]
  for (const [form, order] of forms) {
    const [found, ...parts] = form.exec(day) ?? []
    if (found === undefined) continue
    const [year = '', month = '', date = ''] = order(parts)
    const iso = `${fullYear(year)}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
    return isDate(iso) ? iso : undefined
  }
  return undefined
}

const monthOf = (name = '') => String(months.indexOf(name.toLowerCase()) + 1)

/** Two digits are a year from 1970 to 2069. */
const fullYear = (year: string) => (year.length === 4 ? year : `${Number(year) < 70 ? 20 : 19}${year}`)
