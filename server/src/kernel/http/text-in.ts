import type { TSchema } from 'typebox'
import { oneLine, variantsOf } from '../schemas.ts'
import { toTimezone } from '../zone-names.ts'

/**
 * How a field reads text. Follows from its schema, unless `x-text` says it: a name or a short text is a `line`, a
 * text of more than 254 characters is `prose`, and a secret or one of several choices is `exact`. A field that may have
 * any JSON is `exact`, too: forms are evidence.
 */
type Kind = 'line' | 'prose' | 'email' | 'timezone' | 'exact'

interface Shape {
  'x-text'?: Kind
  type?: string | string[]
  format?: string
  pattern?: string
  maxLength?: number
  writeOnly?: boolean
  enum?: unknown[]
  const?: unknown
  anyOf?: Shape[]
  items?: Shape
  properties?: Record<string, Shape>
  patternProperties?: Record<string, Shape>
  required?: string[]
}

/** Line ends of other systems, and what office programs write between lines and pages. */
const lineEnd = /\r\n?|[\v\f\x85\u2028\u2029]/g
/** Marks without a meaning in a stored text: controls, soft hyphens, zero-width spaces, byte order marks, anchors. */
const mark = /[\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ufff9-\ufffc]/g
/** A character that shows nothing, alone at either end of a text: blanks, fillers, joiners, and marks of direction. */
const blank =
  /\s|\u00ad|\u034f|\u061c|[\u115f\u1160]|[\u17b4\u17b5]|\u180e|[\u200b-\u200f]|[\u202a-\u202e]|[\u2060-\u206f]|\u2800|\u3164|\ufeff|\uffa0/

/** The text with LF as its only line end, and without marks that no reader sees. */
const prose = (text: string): string => text.replaceAll(lineEnd, '\n').replaceAll(mark, '')

/** The text without blanks around it. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && blank.test(text.charAt(start))) start++
  while (end > start && blank.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** The text on one line, without blanks around it. */
const line = (text: string): string => trimmed(prose(text)).replaceAll(/[\n\t]+/g, ' ')

const readers: Readonly<Record<Kind, (text: string) => string>> = {
  line,
  prose,
  email: (text) => line(text).replaceAll(/\p{Cf}|^mailto:|^<|>$/giu, ''),
  timezone: (text) => toTimezone(line(text)),
  exact: (text) => text,
}

const typesOf = ({ type }: Shape) => (type === undefined ? [] : [type].flat())

const longestLine = 254

function kindOf(shape: Shape): Kind {
  const { format, pattern, maxLength = 0, writeOnly, enum: choices, const: only } = shape
  if (shape['x-text'] !== undefined) return shape['x-text']
  if (writeOnly === true || choices !== undefined || only !== undefined) return 'exact'
  if (format !== undefined) return format === 'email' ? format : 'line'
  return pattern === oneLine || maxLength <= longestLine ? 'line' : 'prose'
}

type Read = (value: unknown) => unknown
const asItIs: Read = (value) => value

const compiled = new WeakMap<object, Read>()

function readerOf(shape: Shape): Read {
  const read = compiled.get(shape) ?? compile(shape)
  compiled.set(shape, read)
  return read
}

function compile(shape: Shape): Read {
  const { anyOf, items, properties, patternProperties } = shape
  const several = variantsOf(shape as TSchema)
  if (several !== undefined)
    return (value) => {
      const name = isObject(value) ? value[several.discriminator] : undefined
      const kind = typeof name === 'string' ? several.kinds.get(name) : undefined
      return kind === undefined ? value : readerOf(kind as Shape)(value)
    }
  if (anyOf !== undefined)
    return (value) => {
      const fitting = anyOf.find((one) => typesOf(one).includes(typeOf(value)))
      return fitting === undefined ? value : readerOf(fitting)(value)
    }
  if (shape['x-text'] === 'prose' && typesOf(shape).includes('object')) return deepProse
  const member = Object.values(patternProperties ?? {})[0]
  if (properties === undefined && member !== undefined && !mayBeAny(member)) {
    const read = readerOf(member)
    return (value) =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, read(one)]))
        : value
  }
  if (properties !== undefined) return membersReader(shape, properties, true)
  if (items !== undefined) {
    const read = readerOf(items)
    return (value) => (Array.isArray(value) ? value.map(read) : value)
  }
  if (!typesOf(shape).includes('string')) return asItIs
  const read = readers[kindOf(shape)]
  return (value) => (typeof value === 'string' ? read(value) : value)
}

/** The members of a body that no one filled in are left out, or null if the field may be null. */
function membersReader(
  { required = [] }: Shape,
  properties: Record<string, Shape>,
  leavesOut: boolean,
): Read {
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    read: readerOf(member),
    mayBeNull: acceptsNull(member),
    isOptional: !required.includes(name) && !mayBeAny(member),
    isChoice: (choice: unknown) => member.enum?.includes(choice) === true,
  }))
  return (value) => {
    if (!isObject(value)) return value
    const body = { ...value }
    for (const { name, read, mayBeNull, isOptional, isChoice } of members) {
      const given = value[name]
      if (given === undefined || !Object.hasOwn(value, name)) continue
      const one = read(given)
      body[name] = one
      if (!isOptional || isChoice(one)) continue
      if (one !== null && !(typeof one === 'string' && trimmed(one) === '')) continue
      if (mayBeNull) body[name] = null
      else if (leavesOut) delete body[name]
    }
    return body
  }
}

/**
 * Makes the function that reads the texts of a body by its schema, before it is validated: the one place where what
 * harmless programs write becomes what Gable stores. An optional member that is empty or null counts as left out; in a
 * PATCH, whose members clear fields, only if the field may be null.
 */
export function textReader(schema: TSchema, { isPatch }: { isPatch: boolean }): Read {
  const { properties, ...shape } = schema as Shape
  return isPatch && properties !== undefined ? membersReader(shape, properties, false) : readerOf(schema)
}

/** Whether a member may be any JSON. It keeps what it was given. */
const mayBeAny = ({ type, anyOf, enum: choices, const: only }: Shape): boolean =>
  [type, anyOf, choices, only].every((one) => one === undefined)

const acceptsNull = ({ type, anyOf = [] }: Shape): boolean =>
  [type].flat().includes('null') || anyOf.some(acceptsNull)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function deepProse(value: unknown): unknown {
  if (typeof value === 'string') return prose(value)
  if (Array.isArray(value)) return value.map(deepProse)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deepProse(one)]))
}
