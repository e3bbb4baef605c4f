import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'

/** The parts of a JSON Schema that decide how an option is written and read. */
export interface Shape {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly writeOnly?: boolean
  readonly oneOf?: readonly Shape[]
  readonly 'x-references'?: string
}

export const typesOf = ({ type = [] }: Shape): readonly string[] => (typeof type === 'string' ? [type] : type)

/** The values that a schema allows, if it names them all. */
export const choicesOf = (shape: Shape): string[] => {
  if (shape.const !== undefined) return [String(shape.const)]
  return (shape.enum ?? shape.items?.enum ?? []).filter((one) => one !== null).map(String)
}

/**
 * Reads the texts of a repeated option as the value that the schema describes. A text that is no such value stays a text,
 * so that the API reports it. `now`: the time from which `24h` counts. Throws `InvalidArgumentError` for an object or a list of objects that is not JSON.
 */
export function valueOf(texts: readonly string[], shape: Shape, now: Date): unknown {
  const types = typesOf(shape)
  const text = texts.at(-1) ?? ''
  if (text === 'null' && types.includes('null')) return null
  if (types.includes('array')) return texts.flatMap((one) => itemsOf(one, shape.items ?? {}, now))
  if (types.includes('object'))
    return Object.assign({}, ...texts.map((one) => objectOf(one, shape, now))) as object
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (
    (types.includes('integer') || types.includes('number')) &&
    text.trim() !== '' &&
    !Number.isNaN(Number(text))
  )
    return Number(text)
  if (shape.format === 'date-time') return timeOf(text, now)
  const isFree = types.length === 0 && shape.enum === undefined && shape.const === undefined
  return isFree ? jsonOrText(text) : text
}

/** A JSON list or object, or several values between commas. A choice has no blanks; `all` names every choice. */
function itemsOf(text: string, items: Shape, now: Date): unknown[] {
  if (/^\s*[[{]/.test(text) || typesOf(items).includes('object')) return [json(text)].flat()
  if (items.enum === undefined) return split(text, /,/).map((one) => valueOf([one], items, now))
  if (text === 'all' && !items.enum.includes('all')) return [...items.enum]
  return split(text, /[\s,]+/)
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `24h` is that long ago, and `+24h` is in that time; in seconds, minutes, hours, or days. */
function timeOf(text: string, now: Date): string {
  const [, sign, count, unit = ''] = /^(\+?)(\d{1,5})([smhd])$/.exec(text) ?? []
  if (count === undefined) return text
  const ms = Number(count) * (unitMs[unit] ?? 0)
  return new Date(now.getTime() + (sign === '+' ? ms : -ms)).toISOString()
}

const split = (text: string, by: RegExp) =>
  text
    .split(by)
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** A JSON object, or one member as NAME=VALUE. */
function objectOf(text: string, { properties, patternProperties }: Shape, now: Date): unknown {
  const [, name, value] = /^([^\s={["@]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) return json(text)
  const member = properties?.[name] ?? Object.values(patternProperties ?? {})[0] ?? {}
  return { [name]: valueOf([value], member, now) }
}

/** JSON, or `@` and the name of a file that contains it. */
function json(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text)
  } catch {
    throw new InvalidArgumentError('It must be JSON, or the name of a file after an @.')
  }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
