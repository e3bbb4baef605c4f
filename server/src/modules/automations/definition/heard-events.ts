import type { EventType, EventTypes } from '#kernel/events/event.ts'

/** What the engine itself says of enrollments is no news to it, and an erasure ends them all. */
export const unheard: ReadonlySet<string> = new Set([
  'automation.run',
  'automation.ended',
  'enrollment.created',
  'enrollment.migrated',
  'enrollment.status_changed',
  'contact.erased',
])

/** Whether it is on the timelines of contacts. The contact of a lead is not in the data of its events, but they are on its timeline. */
const isOnTimelines = (type: EventType): boolean =>
  type.subject === 'lead' || [type.timelineOf(type.example) ?? []].flat().length > 0

/** Whether it names the contacts whom it concerns, though they do not have it on their timelines. */
const namesContacts = ({ data }: EventType): boolean => 'contact_ids' in data.properties

const uses = {
  triggers: {
    fits: (type: EventType) => isOnTimelines(type) || namesContacts(type),
    else: 'is an event of no contact, so it can enroll no one',
  },
  waits: { fits: isOnTimelines, else: 'is on the timeline of no contact, so it never comes' },
}
type Use = keyof typeof uses

/** The events that can start an automation, or for which a step can wait, by name. */
export const heardEvents = (all: EventTypes, use: Use): string[] =>
  [...all.values()]
    .filter((type) => !unheard.has(type.name) && uses[use].fits(type))
    .map(({ name }) => name)
    .toSorted()

/** Why an event cannot do that; undefined if it can. */
export function unheardBecause(type: EventType, use: Use): string | undefined {
  if (unheard.has(type.name)) return 'is an event that automations do not listen to'
  return uses[use].fits(type) ? undefined : uses[use].else
}
