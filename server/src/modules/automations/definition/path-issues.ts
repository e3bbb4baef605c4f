import type { Condition } from '#kernel/conditions/condition.ts'
import type { Issue } from '#kernel/errors.ts'
import type { EventTypes } from '#kernel/events/event.ts'
import { didYouMean } from '#kernel/http/validation.ts'
import type { Definition } from './definition.ts'
import { placedSteps } from './tree.ts'

type Members = ReadonlySet<string>

/** The members of the events whose data a condition can test. Undefined if an event is unknown, absent if there is none. */
interface Known {
  trigger?: Members | undefined
  event?: Members | undefined
}

/**
 * Finds conditions on members that no event has, so that they would never have a value: `trigger.` of the events that start the automation,
 * and `event.` of the event that a `wait_for` waits for.
 */
export function* pathIssues(
  { triggers = [], exits = [], steps }: Definition,
  eventTypes: EventTypes,
  at: string,
): Generator<Issue> {
  const membersOf = (events: readonly string[]): Members | undefined =>
    events.every((event) => eventTypes.has(event))
      ? new Set(events.flatMap((event) => Object.keys(eventTypes.get(event)?.data.properties ?? {})))
      : undefined
  // Without triggers, a request or another automation enrolls contacts, and a dry run may name an event.
  const trigger = triggers.length === 0 ? undefined : membersOf(triggers.map(({ event }) => event))
  for (const [i, { event, conditions }] of triggers.entries())
    yield* issuesIn(conditions, `${at}.triggers.${i}.conditions`, { trigger: membersOf([event]) })
  for (const [i, exit] of exits.entries())
    if (exit.when === 'conditions')
      yield* issuesIn(exit.conditions, `${at}.exits.${i}.conditions`, { trigger })
  for (const [step, place] of placedSteps(steps, `${at}.steps`))
    if (step.type === 'branch')
      for (const [i, { conditions }] of (step.branches ?? []).entries())
        yield* issuesIn(conditions, `${place}.branches.${i}.conditions`, { trigger })
    else if (step.type === 'wait_for')
      for (const [i, { event, conditions }] of (step.events ?? []).entries())
        yield* issuesIn(conditions, `${place}.events.${i}.conditions`, { trigger, event: membersOf([event]) })
}

function* issuesIn(condition: Condition | undefined, at: string, known: Known): Generator<Issue> {
  if (condition === undefined) return
  if (!('field' in condition)) {
    for (const [name, parts] of Object.entries(condition))
      if (Array.isArray(parts))
        for (const [i, part] of (parts as Condition[]).entries())
          yield* issuesIn(part, `${at}.${name}.${i}`, known)
    return
  }
  const [root, member = ''] = condition.field.split('.')
  if (root === 'event' && !('event' in known))
    yield { path: `${at}.field`, message: 'is known only to the events of a wait_for' }
  const members = root === 'trigger' || root === 'event' ? known[root] : undefined
  if (members !== undefined && !members.has(member))
    yield { path: `${at}.field`, message: notInEvent(`${root}.${member}`, [...members]) }
}

function notInEvent(field: string, members: readonly string[]): string {
  const fields = members.map((member) => field.replace(/\..*$/s, `.${member}`))
  return `is not in the event, which has ${members.join(', ')}${didYouMean(field, fields)}`
}
