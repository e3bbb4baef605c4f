import { type Fault, ValidationFailed } from '#kernel/errors.ts'
import { hygieneFault } from '#kernel/http/text.ts'
import { isObject } from './faults.ts'
import { type SoundRule, ruleFaults, timezoneFaults } from './rule-faults.ts'
import { RulesDocument } from './rule-schema.ts'
import { type Schema, schemaFaults } from './schema-faults.ts'

/** A document of rules as somebody wrote it. Throws ValidationFailed with every fault and its place. */
export function readRules(input: unknown): RulesDocument {
  const unclean = hygieneFault(input)
  const faults = unclean === undefined ? documentFaults(input) : [unclean]
  if (faults.length > 0) throw ValidationFailed(faults)
  return input as RulesDocument
}

const schema = RulesDocument as object as Schema

/** What is wrong with the shape, and then, of whatever has the right shape, with how it goes together. */
function documentFaults(input: unknown): Fault[] {
  const misshapen = schemaFaults(schema, input, '').map(inWords)
  if (!isObject(input)) return misshapen
  const places = new Set(misshapen.flatMap(({ path }) => withAncestors(path)))
  const timezone = places.has('timezone') ? undefined : input['timezone']
  const rules = rulesIn(input).map(([path, rule]) => ({ path, rule: soundOf(rule, `${path}.`, places) }))
  const drafts = rules.filter(({ path }) => path !== 'default')
  return [
    ...misshapen,
    ...(typeof timezone === 'string' ? timezoneFaults(timezone, 'timezone') : []),
    ...rules.flatMap(({ rule, path }) => ruleFaults(rule, path)),
    ...repetitions(drafts.map(({ rule, path }) => ({ path: `${path}.id`, text: rule.id }))),
    ...repetitions(drafts.map(({ rule, path }) => ({ path: `${path}.name`, text: rule.name?.trim() }))),
  ]
}

/** The rules of a document that may be wrong in any way, with their places. */
function rulesIn({ default: fallback, rules }: Record<string, unknown>): [string, object][] {
  const all: [string, unknown][] = [['default', fallback]]
  if (Array.isArray(rules))
    for (const [i, rule] of rules.slice(0, maxRules).entries()) all.push([`rules.${i}`, rule])
  return all.flatMap(([path, rule]) => (isObject(rule) ? [[path, { fallback: [], ...rule }]] : []))
}

const maxRules = 1000

/** `rules.3.pool.role`, `rules.3.pool`, `rules.3`, `rules`. */
function withAncestors(path: string): string[] {
  const parts = path.split('.')
  return parts.map((_, i) => parts.slice(0, i + 1).join('.'))
}

/** The members with nothing wrong in them, so that one fault does not make others. */
const soundOf = (value: object, before: string, places: ReadonlySet<string>): SoundRule =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, places.has(before + name) ? undefined : member]),
  )

/** Each text that came before. */
function repetitions(all: readonly { path: string; text: string | undefined }[]): Fault[] {
  const first = new Map<string, string>()
  return all.flatMap(({ path, text }) => {
    if (text === undefined) return []
    const before = first.get(text)
    if (before === undefined) first.set(text, path)
    return before === undefined ? [] : [{ path, message: `is that of ${before}, too` }]
  })
}

const ofRulesOnly = /^default\.(conditions|schedule|enabled|priority)$/

const inWords = (fault: Fault): Fault =>
  ofRulesOnly.test(fault.path)
    ? { ...fault, message: 'is not for the default rule, which takes every lead that no other matches' }
    : fault
