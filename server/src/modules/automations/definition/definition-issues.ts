import { issuesOfCondition } from '#kernel/conditions/condition-issues.ts'
import { isObject } from '#kernel/conditions/condition.ts'
import { isTimeBetween } from '#kernel/conditions/hours.ts'
import { type Schema, schemaIssues } from '#kernel/conditions/schema-issues.ts'
import { type Issue, ValidationFailed, maxIssues } from '#kernel/errors.ts'
import type { EventTypes } from '#kernel/events/event.ts'
import { textIssue } from '#kernel/http/text.ts'
import { closest, unlistedName } from '#kernel/http/validation.ts'
import { federal } from '../../compliance/public.ts'
import { conditionFields, contactFields } from './condition-fields.ts'
import { type Definition, DefinitionSchema, definitionLevels, exitMembers } from './definition.ts'
import { heardEvents, unheardBecause } from './heard-events.ts'
import { pathIssues } from './path-issues.ts'
import { type AutomationStep, stepNames, stepSchemas, stepShapes } from './step-types.ts'
import { placedSteps, stepsIn } from './tree.ts'

export const maxSteps = 100
const maxBytes = 64 * 1024
const maxDepth = 8

/**
 * Checks a definition. Returns all its issues with their paths, up to the number that a response lists, and the definition, or what is
 * left of it without its faulty parts.
 */
export function readDefinition(
  input: unknown,
  eventTypes: EventTypes,
): { definition: Definition; issues: Issue[] } {
  const fault = unreadable(input)
  if (fault !== undefined) return { definition: { steps: [] }, issues: [fault] }
  const shape = schemaIssues(DefinitionSchema as object as Schema, input, path, referred).toArray()
  const reported = new Set(shape.map((issue) => issue.path))
  const definition = withoutFaulty(input, reported)
  const further = meaningIssues(definition, eventTypes).filter((issue) => !reported.has(issue.path))
  return { definition, issues: [...shape, ...further.take(maxIssues)].slice(0, maxIssues) }
}

/** Throws `ValidationFailed` with the issues of conditions on contacts. */
export function requireConditions(input: unknown, at: string): void {
  const unclean = textIssue(input, at)
  const issues = unclean === undefined ? issuesOfCondition(contactFields, input, at) : [unclean].values()
  const first = issues.take(maxIssues).toArray()
  if (first.length > 0) throw ValidationFailed(first)
}

const path = 'definition'

/** Why a definition cannot be checked at all. */
function unreadable(input: unknown): Issue | undefined {
  const unclean = textIssue(input, path, definitionLevels)
  if (unclean !== undefined) return unclean
  return Buffer.byteLength(JSON.stringify(input)) > maxBytes
    ? { path, message: `must have at most ${maxBytes} bytes` }
    : undefined
}

/** What is wrong with a definition beyond the schema. */
function* meaningIssues(definition: Definition, eventTypes: EventTypes): Generator<Issue> {
  yield* keyIssues(definition)
  const eventIssue = (event: string | undefined, at: string): Issue[] => {
    if (event === undefined) return []
    const type = eventTypes.get(event)
    const message =
      type === undefined ? unlistedName(event, heardEvents(eventTypes), 'event') : unheardBecause(type)
    return message === undefined ? [] : [{ path: at, message }]
  }
  for (const [i, { event }] of (definition.triggers ?? []).entries())
    yield* eventIssue(event, `${path}.triggers.${i}.event`)
  for (const [step, at] of placedSteps(definition.steps, `${path}.steps`)) {
    if (step.type === 'wait_for')
      for (const [i, { event }] of (step.events ?? []).entries())
        yield* eventIssue(event, `${at}.events.${i}.event`)
    yield* ownIssues(step, at)
  }
  yield* pathIssues(definition, eventTypes, path)
  for (const [i, exit] of (definition.exits ?? []).entries())
    for (const member of exitMembers)
      if (exit.when !== undefined && (exit.when === member) !== member in exit)
        yield {
          path: `${path}.exits.${i}.${member}`,
          message: exit.when === member ? 'is required' : `is not allowed with ${exit.when}`,
        }
}

function* referred(ref: string, value: unknown, at: string): Iterable<Issue> {
  if (ref.endsWith('AutomationCondition')) return yield* issuesOfCondition(conditionFields, value, at)
  yield* stepIssues(value, at)
}

function* stepIssues(input: unknown, at: string): Iterable<Issue> {
  if (!isObject(input)) return yield { path: at, message: 'must be object' }
  const name = input['type']
  const type = typeof name === 'string' ? stepTypeMeant(name) : undefined
  if (name === undefined) yield { path: `${at}.type`, message: 'is required' }
  else if (type !== name)
    yield { path: `${at}.type`, message: unlistedName(String(name).slice(0, 40), stepNames, 'type') }
  if (type === undefined) return
  if (at.split(/\.(?:steps|else|on_timeout)\./).length - 2 > maxDepth)
    return yield { path: at, message: `is nested more than ${maxDepth} levels deep` }
  yield* schemaIssues(stepSchemas.get(type) as Schema, { ...input, type }, at, referred)
}

/** The type of this name, or the one that was probably meant, so that the members are checked, too. */
const stepTypeMeant = (name: string): string | undefined =>
  stepShapes.has(name) ? name : closest(name, stepNames)

/** What is wrong with the members of one step beyond their schema. */
function* ownIssues(step: AutomationStep, at: string): Iterable<Issue> {
  const shape = stepShapes.get(step.type)
  for (const { path: member, message } of shape?.issues?.(step as never) ?? [])
    yield { path: `${at}.${member}`, message }
  for (const [name, text] of Object.entries(step))
    if (shape?.literals?.includes(name) === true && /\{\{/.test(String(text)))
      yield { path: `${at}.${name}`, message: 'cannot have placeholders; only send has them' }
}

/**
 * The definition without what is at these paths, so that the rest can be checked further. Indexes stay: an empty object
 * takes the place of an item.
 */
function withoutFaulty(input: unknown, paths: Iterable<string>): Definition {
  const whole: Record<string, unknown> = structuredClone({ [path]: input })
  for (const at of paths) {
    const names = at.split('.')
    const last = names.pop() ?? ''
    const part = names.reduce<unknown>(ownMember, whole)
    if (ownMember(part, last) === undefined) continue
    if (Array.isArray(part)) part[Number(last)] = {}
    else delete (part as Record<string, unknown>)[last]
  }
  return { steps: [], ...(whole[path] as Partial<Definition> | undefined) }
}

const ownMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

function* keyIssues({ steps }: Definition): Iterable<Issue> {
  const known = new Set<string>()
  let count = 0
  for (const { key } of stepsIn(steps)) {
    count++
    if (key !== undefined && known.has(key))
      yield { path: `${path}.steps`, message: `has two steps with the key ${key}` }
    known.add(key)
  }
  if (count > maxSteps)
    yield { path: `${path}.steps`, message: `must have at most ${maxSteps} steps; it has ${count}` }
}

/** Settings that are allowed but may have unexpected effects. */
export function definitionWarnings({ steps, send_window }: Definition): Issue[] {
  const texts = placedSteps(steps, `${path}.steps`)
    .filter(([step]) => (step.type === 'send' || step.type === 'ai_message') && step.channel === 'sms')
    .map(([, at]) => ({
      path: at,
      message: 'is sent only to contacts with written consent, as every marketing text of an automation',
    }))
    .toArray()
  const outside = texts.length === 0 || send_window === undefined ? undefined : outsideHours(send_window)
  return outside === undefined ? texts : [{ path: `${path}.send_window`, message: outside }, ...texts]
}

const [opens = '', closes = ''] = (federal.week[0] ?? []).map((minute) =>
  new Date(minute * 60_000).toISOString().slice(11, 16),
)

/** How a send window lies outside the hours of the gates. The hours of a state may be narrower; those depend on the contact. */
function outsideHours({ from, to, zone }: NonNullable<Definition['send_window']>): string | undefined {
  const hours = `${opens} to ${closes} in the time zone of the contact, or fewer in some states`
  if (from < to && from >= opens && to <= closes) return undefined
  if (isTimeBetween(from, opens, closes) || isTimeBetween(opens, from, to))
    return `is partly outside the hours in which marketing texts may be sent (${hours}); texts wait until both are open`
  const whom = zone === 'workspace' ? 'to contacts in the time zone of the workspace' : 'to anyone'
  return `is outside the hours in which marketing texts may be sent (${hours}); no text is ever sent ${whom}`
}
