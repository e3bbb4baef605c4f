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

/**
 * Whether it is one of contacts: it is on their timelines, or names those whom it concerns. The contact of a lead is not in the data of its
 * events, but they are on its timeline.
 */
const isOfContacts = (type: EventType): boolean =>
  type.subject === 'lead' ||
  'contact_ids' in type.data.properties ||
  [type.timelineOf(type.example) ?? []].flat().length > 0

/** The events that can start an automation, and for which a step can wait, by name. */
export const heardEvents = (all: EventTypes): string[] =>
  [...all.values()]
    .filter((type) => unheardBecause(type) === undefined)
    .map(({ name }) => name)
    .toSorted()

/** Why automations do not hear of an event; undefined if they do. */
export function unheardBecause(type: EventType): string | undefined {
  if (unheard.has(type.name)) return 'is an event that automations cannot listen to'
  return isOfContacts(type)
    ? undefined
    : 'is not an event about a contact, so it cannot apply to an enrollment'
}
