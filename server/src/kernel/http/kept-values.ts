import type { TSchema } from 'typebox'
import { isId } from '../ids.ts'
import { maskText } from '../masking/mask-text.ts'

interface Shape {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  properties?: Record<string, TSchema>
  items?: TSchema
  anyOf?: TSchema[]
  allOf?: TSchema[]
  'x-masked'?: string
}

/** What stands for a value that may describe a person. */
const withheld = '…'

const maxItems = 20

/** `Date.parse` also takes what has a name in it. */
const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/i

const numeric = /\b(?:number|integer)\b/

/** The formats of texts that describe no one. */
const plainFormats: ReadonlySet<string> = new Set(['date', 'date-time'])

/**
 * The value, with `…` for each text that its schema does not declare as free of personal data: it keeps numbers, booleans,
 * times, IDs, and values from lists. Omits what the schema does not have. `schemas`: the alternatives.
 */
export function keptValues(value: unknown, ...schemas: readonly TSchema[]): unknown {
  if (value === null || value === undefined) return value
  const shapes = schemas.flatMap(alternatives)
  if (Array.isArray(value)) {
    const items = shapes.flatMap(({ items: one }) => one ?? [])
    return value.slice(0, maxItems).map((item) => keptValues(item, ...items))
  }
  if (typeof value === 'object') {
    const kept: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(value)) {
      const known = shapes.flatMap(({ properties = {} }) =>
        Object.hasOwn(properties, name) ? [properties[name] as TSchema] : [],
      )
      if (known.length > 0) kept[name] = keptValues(member, ...known)
    }
    return kept
  }
  return shapes.length > 0 && shapes.every((shape) => isPlain(shape, value)) ? value : withheld
}

const alternativesOf = new WeakMap<TSchema, readonly Shape[]>()

/** What a value of the schema may be: without `anyOf` and `allOf`, but with what stands in them. */
function alternatives(schema: TSchema): readonly Shape[] {
  const known = alternativesOf.get(schema)
  if (known !== undefined) return known
  const shape = schema as Shape
  const { anyOf, allOf } = shape
  const nested = [...(anyOf ?? []), ...(allOf ?? [])].flatMap(alternatives)
  const all = anyOf === undefined && allOf === undefined ? [shape] : nested
  alternativesOf.set(schema, all)
  return all
}

/** Whether the schema says that the value describes no one. */
function isPlain(shape: Shape, value: unknown): boolean {
  if (shape['x-masked'] !== undefined) return false
  if (typeof value === 'boolean') return true
  if (typeof value === 'number') return numeric.test(String(shape.type))
  if (typeof value !== 'string') return false
  if (shape.enum !== undefined) return shape.enum.includes(value)
  if (shape.const !== undefined) return shape.const === value
  if (plainFormats.has(shape.format ?? '')) return isoTime.test(value)
  return isId(value)
}

interface ErrorText {
  error?: { code?: string; reason?: string; message?: string; details?: { path: string; message: string }[] }
}

/** What an error says, without the values that it quotes and without numbers and addresses of people. */
export function keptError(value: unknown): object {
  const { code, reason, message, details } = (value as ErrorText).error ?? {}
  return {
    error: {
      code,
      ...(reason === undefined ? {} : { reason }),
      message: unquoted(message),
      ...(details === undefined
        ? {}
        : {
            details: details
              .slice(0, maxItems)
              .map((one) => ({ path: maskText(one.path), message: unquoted(one.message) })),
          }),
    },
  }
}

/** Every second part of a text is within quotation marks, also the last one if it does not end. */
const unquoted = (text = '') =>
  maskText(
    text
      .split(/["“”]/)
      .map((part, at) => (at % 2 === 0 ? part : withheld))
      .join('"'),
  )
