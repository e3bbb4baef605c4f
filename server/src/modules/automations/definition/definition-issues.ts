import { issuesOfCondition } from '#kernel/conditions/condition-issues.ts'
import { isObject } from '#kernel/conditions/condition.ts'
import { isTimeBetween } from '#kernel/conditions/hours.ts'
import { type Schema, schemaIssues } from '#kernel/conditions/schema-issues.ts'
import { type Issue, ValidationFailed, maxIssues } from '#kernel/errors.ts'
import type { EventTypes } from '#kernel/events/event.ts'
import { textIssue } from '#kernel/http/text.ts'
import { unknownName } from '#kernel/http/validation.ts'
import { federal } from '../../compliance/public.ts'
import { conditionFields, contactFields } from './condition-fields.ts'
import { type Definition, DefinitionSchema, definitionLevels, exitMembers } from './definition.ts'
import { heardEvents, unheardBecause } from './heard-events.ts'
import { pathIssues } from './path-issues.ts'
import { stepNames, stepSchemas, stepShapes } from './step-types.ts'
import { placedSteps, stepsIn } from './tree.ts'

const maxSteps = 100
const maxBytes = 64 * 1024
const maxDepth = 8

/** Validates a definition. Throws `ValidationFailed` with the issues and their paths, up to the number that a response lists. */
export function readDefinition(input: unknown, eventTypes: EventTypes): Definition {
  const issues = definitionIssues(input, eventTypes).take(maxIssues).toArray()
  if (issues.length > 0) throw ValidationFailed(issues)
  return input as Definition
}

/** Throws `ValidationFailed` with the issues of conditions on contacts. */
export function requireConditions(input: unknown, at: string): void {
  const unclean = textIssue(input, at)
  const issues = unclean === undefined ? issuesOfCondition(contactFields, input, at) : [unclean].values()
  const first = issues.take(maxIssues).toArray()
  if (first.length > 0) throw ValidationFailed(first)
}

const path = 'definition'

function* definitionIssues(input: unknown, eventTypes: EventTypes): Generator<Issue> {
  const unclean = textIssue(input, path, definitionLevels)
  if (unclean !== undefined) return yield unclean
  if (Buffer.byteLength(JSON.stringify(input)) > maxBytes)
    return yield { path, message: `must have at most ${maxBytes} bytes` }
  const shape = schemaIssues(DefinitionSchema as object as Schema, input, path, referred).toArray()
  if (shape.length > 0) return yield* shape
  const definition = input as Definition
  yield* keyIssues(definition)
  const eventIssue = (event: string, at: string): Issue[] => {
    const type = eventTypes.get(event)
    const message =
      type === undefined ? unknownName(event, heardEvents(eventTypes), 'event') : unheardBecause(type)
    return message === undefined ? [] : [{ path: at, message }]
  }
  for (const [i, { event }] of (definition.triggers ?? []).entries())
    yield* eventIssue(event, `${path}.triggers.${i}.event`)
  for (const [step, at] of placedSteps(definition.steps, `${path}.steps`))
    if (step.type === 'wait_for')
      for (const [i, { event }] of step.events.entries()) yield* eventIssue(event, `${at}.events.${i}.event`)
  yield* pathIssues(definition, eventTypes, path)
  for (const [i, exit] of (definition.exits ?? []).entries())
    for (const member of exitMembers)
      if ((exit.when === member) !== member in exit)
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
  const type = input['type']
  const shape = typeof type === 'string' ? stepShapes.get(type) : undefined
  if (shape === undefined)
    return yield {
      path: `${at}.type`,
      message: type === undefined ? 'is required' : unknownName(String(type).slice(0, 40), stepNames, 'type'),
    }
  if (at.split(/\.(?:steps|else|on_timeout)\./).length - 2 > maxDepth)
    return yield { path: at, message: `is nested more than ${maxDepth} levels deep` }
  const issues = [...schemaIssues(stepSchemas.get(shape.type) as Schema, input, at, referred)]
  yield* issues
  if (issues.length > 0) return
  for (const { path: member, message } of shape.issues?.(input as never) ?? [])
    yield { path: `${at}.${member}`, message }
  for (const name of shape.literals ?? [])
    if (/\{\{/.test(String(input[name] ?? '')))
      yield { path: `${at}.${name}`, message: 'cannot have placeholders; only send has them' }
}

function* keyIssues({ steps }: Definition): Iterable<Issue> {
  const known = new Set<string>()
  let count = 0
  for (const { key } of stepsIn(steps)) {
    count++
    if (known.has(key)) yield { path: `${path}.steps`, message: `has two steps with the key ${key}` }
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
