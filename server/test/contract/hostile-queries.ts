import { type Schema, dirtyTexts, formats } from './hostile-values.ts'

/** Texts that could break a search, a query, or a page. */
const oddities = [
  ...`' " \\ \\\\ % _ %%% $1 $$ {} [] () * .* -1 1e999 <script> null undefined __proto__ 😀 İ ß`.split(' '),
  ..."'; drop table contacts; --|' or '1'='1|a b c d e f g h i j k l| |\t|\n|\u202e|\ufeff|\uffff".split('|'),
  'ﷺ'.repeat(20),
  'e\u0301'.repeat(10),
]

const noIntegers = ['', ...oddities, '-1', '1.5', '1e1', '0x1', ' 1', '1 ', '١', '9'.repeat(400)]

/** Texts that a query parameter rejects, each for one reason. */
export function rejectedTexts(schema: Schema): string[] {
  const { type, enum: values, items, maxItems = 0, maxLength, minimum, maximum, format } = schema
  const dirty = dirtyTexts.filter((text) => text.isWellFormed())
  if (items !== undefined) {
    const one = String(items.enum?.[0] ?? 'x')
    const further = rejectedTexts(items).map((text) => `${one},${text}`)
    return [...rejectedTexts(items), ...further, Array.from({ length: maxItems + 1 }, () => one).join(',')]
  }
  if (type === 'integer') {
    const beyond = [(minimum ?? 0) - 1, (maximum ?? Number.MAX_SAFE_INTEGER) + 1]
    return [...dirty, ...noIntegers, ...beyond.map(String)]
  }
  if (type === 'boolean') return ['', ...dirty, ...oddities, '0', '1', 'True', 'true ', 'yes']
  if (values !== undefined) {
    const misspelt = values.map(String).flatMap((one) => [`${one} `, one.toLowerCase(), one.slice(1)])
    return ['', ...dirty, ...oddities, ...misspelt].filter((one) => !values.includes(one))
  }
  if (format !== undefined) return ['', ...dirty, ...oddities, ...(formats[format]?.rejected ?? [])]
  if (maxLength === undefined) return dirty
  return [...dirty, 'x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1), 'x'.repeat(8000)]
}

/** Texts that a free-text parameter accepts, up to its limit in code points. */
export const freeTexts = ({ maxLength = 1000 }: Schema): string[] =>
  [
    '',
    ...oddities,
    'x'.repeat(maxLength),
    '😀'.repeat(maxLength),
    "'".repeat(maxLength),
    'a '.repeat(maxLength / 2),
  ].map((text) => [...text].slice(0, maxLength).join(''))
