/** The subset of JSON Schema that the API's inputs use. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  /** The noun of the record to which an id refers. */
  'x-references'?: string
  /** The way its values are masked. */
  'x-masked'?: string
}

/** Two code units, one code point, four bytes. */
const emoji = '😀'

/** NUL and lone surrogates, which no text may contain. */
export const dirtyTexts = ['\0', 'a\0b', '\ud800', 'a\udc00', '\ude00\ud83d']

/** Texts of a format: just valid, and just invalid. */
export const formats: Record<string, { taken: string[]; rejected: string[] }> = {
  email: {
    taken: ['a@b.co', `${'x'.repeat(242)}@example.com`, "o'hara+1@mail.reyes.example"],
    rejected: [`${'x'.repeat(243)}@example.com`, `${'x'.repeat(100_000)}@example.com`],
  },
  'date-time': {
    taken: [
      '2026-03-02T15:00:00Z',
      '2026-03-02t15:00:00.123456789z',
      '2026-03-02T15:00:00-00:00',
      '2026-03-02T15:00:00+14:00',
      '2026-03-02T15:00:00+23:59',
      '0001-01-01T00:00:00Z',
      '2024-02-29T00:00:00Z',
      '2016-12-31T23:59:60Z',
      '2016-12-31T15:59:60.999-08:00',
      '2059-12-31T23:59:59.999Z',
      '9999-12-31T23:59:59.999Z',
    ],
    rejected: [
      '2026-03-02',
      '2026-03-02T15:00:00',
      '2026-03-02T15:00Z',
      '20260302T150000Z',
      '2026-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-03-02T24:00:00Z',
      '2026-03-02T15:60:00Z',
      '2026-03-02T15:00:00+24:00',
      '2026-03-02T15:00:00+0530',
      '+002026-03-02T15:00:00Z',
      '1772463600',
      '2026-03-02 15:00:00Z',
      '2026-03-02T15:00:00Z[America/Chicago]',
      '0000-12-31T23:59:59Z',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      '9999-12-31T23:59:60Z',
    ],
  },
  date: {
    taken: ['2026-03-02', '2024-02-29', '0001-01-01', '9999-12-31'],
    rejected: [
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '0000-01-01',
      '2026-3-2',
      '20260302',
      '2026-03-02T00:00:00Z',
      '+002026-03-02',
    ],
  },
}

const strays: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  'stray',
  [],
  [null],
  ['stray', 1],
  [[[]]],
  {},
  { length: 1, 0: 'a' },
  { toString: 'x' },
  { $ne: null },
  { stray: { stray: [] } },
]

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const typesOf = ({ type, enum: values, const: value }: Schema): string[] =>
  type === undefined
    ? (values ?? [value]).map(typeOf)
    : [type].flat().map((name) => (name === 'integer' ? 'number' : name))

/** Values that a schema rejects, each for one reason. */
export function rejectedValues(schema: Schema): unknown[] {
  const types = typesOf(schema)
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (choices !== undefined)
    return [...strays, ...dirtyTexts, ...choices.map((one) => `${String(one)} `)].filter(
      (one) => !choices.includes(one),
    )
  const rejected = strays.filter((stray) => !types.includes(typeOf(stray)))
  if (types.includes('string')) rejected.push(...rejectedTexts(schema))
  if (types.includes('array')) rejected.push(...rejectedLists(schema))
  if (schema.minimum !== undefined) rejected.push(schema.minimum - 1)
  if (schema.maximum !== undefined) rejected.push(schema.maximum + 1, 1e308)
  // An amount of money.
  if (schema.maximum === 1e12) rejected.push(0.001, 1234.567, 0.1 + 0.2, 1e-7)
  return rejected
}

function rejectedTexts(schema: Schema): string[] {
  const { minLength = 0, maxLength, format } = schema
  return [
    ...edgeTexts(schema).filter((text) => !fitsPattern(schema, text)),
    ...dirtyTexts,
    ...(minLength > 0 ? ['', 'x'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined
      ? []
      : ['x'.repeat(maxLength + 1), emoji.repeat(maxLength + 1), 'x'.repeat(100_000)]),
    ...(format === undefined ? [] : ['', 'stray', '@', emoji, ...(formats[format]?.rejected ?? [])]),
  ]
}

function rejectedLists({ items = {}, maxItems }: Schema): unknown[][] {
  return [
    ...rejectedValues(items).map((item) => [item]),
    ...(maxItems === undefined
      ? []
      : [
          Array.from({ length: maxItems + 1 }, (_, i) => String(i)),
          Array.from({ length: 10_000 }, () => ''),
        ]),
  ]
}

/** Values at the limits of what a schema accepts. Lengths are in code points. */
export function widestValues(schema: Schema): unknown[] {
  const { maxItems, items, format, enum: values, minimum, maximum } = schema
  if (values !== undefined) return values
  const types = typesOf(schema)
  if (types.includes('boolean')) return [true, false]
  if (types.includes('number')) return [minimum, maximum].filter((limit) => limit !== undefined)
  if (types.includes('array') && maxItems !== undefined && items !== undefined) {
    return [
      [],
      Array.from(
        { length: maxItems },
        (_, i) => emoji.repeat((items.maxLength ?? 4) - 2) + String(i).padStart(2, '0'),
      ),
    ]
  }
  if (!types.includes('string') || format !== undefined) return []
  // A blank text counts as an empty one.
  const isLongEnough = (text: string) => (schema.minLength ?? 0) === 0 || text.trim() !== ''
  return edgeTexts(schema).filter((text) => fitsPattern(schema, text) && isLongEnough(text))
}

/** Texts at the limits of a length. */
const edgeTexts = ({ minLength = 0, maxLength }: Schema): string[] =>
  maxLength === undefined
    ? []
    : [
        'x'.repeat(minLength),
        'x'.repeat(maxLength),
        emoji.repeat(maxLength),
        '\t\n'.repeat(maxLength / 2),
        '\ufeff\u2028\uffff',
      ]

const fitsPattern = ({ pattern }: Schema, text: string) =>
  pattern === undefined || new RegExp(pattern, 'u').test(text)

/** JSON nested this many levels deep, including its own level. */
export const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

/** A body with raw text in place of a member's value. */
export const withRaw = (body: object, name: string, text: string) =>
  JSON.stringify({ ...body, [name]: '\u{f0000}' }).replace('"\u{f0000}"', text)
