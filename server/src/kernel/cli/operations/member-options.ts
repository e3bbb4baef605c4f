import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { readSecretLine } from '../read-secret-line.ts'
import { type Shape, choicesOf, typesOf, valueOf } from './option-value.ts'

/** The options of a command, by the member of the query or body that each one sets. */
export type MemberOptions = ReadonlyMap<string, { option: Option; shape: Shape }>

export const kebab = (name: string): string => name.replaceAll('_', '-')

/** The members of a body. One with several kinds has the members of all, and requires what all of them require. */
export function bodyMembers({ properties = {}, required = [], oneOf }: Shape): {
  members: Readonly<Record<string, Shape>>
  required: readonly string[]
} {
  if (oneOf === undefined) return { members: properties, required }
  const kinds = oneOf.map(bodyMembers)
  const names = [...new Set(kinds.flatMap(({ members }) => Object.keys(members)))]
  return {
    members: Object.fromEntries(
      names.map((name) => [name, merged(kinds.flatMap(({ members }) => members[name] ?? []))]),
    ),
    required: names.filter((name) => kinds.every((kind) => kind.required.includes(name))),
  }
}

/** The first schema, or all their choices if they name some. */
function merged(shapes: readonly Shape[]): Shape {
  const { const: _, ...first } = shapes[0] ?? {}
  const choices = [...new Set(shapes.flatMap(choicesOf))]
  return choices.length === 0 ? first : { ...first, enum: choices }
}

/** Adds an option for each member. Commander throws if the command already has an option of that name. */
export function addMemberOptions(
  command: Command,
  members: Readonly<Record<string, Shape>>,
  required: readonly string[] = [],
): MemberOptions {
  const options = new Map<string, { option: Option; shape: Shape }>()
  for (const [name, shape] of Object.entries(members)) {
    const option = optionFor(name, shape, required.includes(name))
    command.addOption(option)
    if (isFlag(shape)) command.addOption(new Option(`--no-${kebab(name)}`, `not ${kebab(name)}`).hideHelp())
    options.set(name, { option, shape })
  }
  return options
}

/** Whether the option takes no value: `--paused`, `--no-paused`. */
const isFlag = (shape: Shape) => typesOf(shape).includes('boolean')

function optionFor(name: string, shape: Shape, isRequired: boolean): Option {
  const about = [shape.description, choicesText(shape), isRequired ? '(required)' : undefined]
  const text = about.filter((part) => part !== undefined && part !== '').join(' ')
  if (shape.writeOnly === true)
    return new Option(`--${kebab(name)}-stdin`, `${text} Read from the first line of standard input.`.trim())
  if (!isFlag(shape)) return new Option(`--${kebab(name)} <${valueName(shape)}>`, text).argParser(collected)
  return typesOf(shape).includes('null')
    ? new Option(`--${kebab(name)} [true|false|null]`, text).preset(['true']).argParser(collected)
    : new Option(`--${kebab(name)}`, `${text} --no-${kebab(name)} is false.`.trim())
}

/** The texts of a repeated option. */
const collected = (text: string, before: readonly string[] = []): string[] => [...before, text]

function choicesText(shape: Shape): string | undefined {
  const choices = choicesOf(shape)
  if (choices.length === 0) return undefined
  return `(${typesOf(shape).includes('array') ? 'any of' : 'one of'}: ${choices.join(', ')})`
}

function valueName(shape: Shape): string {
  const types = typesOf(shape)
  if (types.includes('array')) return typesOf(shape.items ?? {}).includes('object') ? 'json|@file' : 'values'
  if (types.includes('object')) return 'json|@file'
  if (types.includes('integer') || types.includes('number')) return 'number'
  if (shape['x-references'] !== undefined) return 'id'
  if (shape.format === 'date-time') return 'time|24h|+24h'
  return choicesOf(shape).length > 0 ? 'choice' : 'value'
}

/** The values of the options that were given, by member. Reads a write-only member from standard input. */
export async function givenMembers(
  options: MemberOptions,
  given: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [name, { option, shape }] of options) {
    const value = given[option.attributeName()]
    if (value === undefined) continue
    if (shape.writeOnly === true) values[name] = await readSecretLine(name)
    else values[name] = typeof value === 'boolean' ? value : read(option, value as string[], shape, now)
  }
  return values
}

/** As `valueOf`. A usage error names the option. */
function read(option: Option, texts: readonly string[], shape: Shape, now: Date): unknown {
  try {
    return valueOf(texts, shape, now)
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new CommanderError(2, 'gable.value', `option '${option.flags}' is invalid. ${error.message}`)
  }
}
