import type { EventType, EventTypes } from '#kernel/events/event.ts'
import type { JournalRow } from '#kernel/events/journal.ts'

/**
 * Events that automations never listen to: the engine's own events about enrollments, and the erasure, which ends all enrollments anyway.
 */
export const unheard: ReadonlySet<string> = new Set([
  'automation.run',
  'automation.ended',
  'enrollment.created',
  'enrollment.migrated',
  'enrollment.status_changed',
  'contact.erased',
])

/** Whether an event counts. It does not if an email caused it whose sender is not verified, because anyone may have written that. */
export const isVerified = ({ data }: Pick<JournalRow, 'data'>): boolean => data['sender_verified'] !== false

/**
 * Whether an event is about contacts: it is on their timelines, or its data names them. Events of leads do not have the contact in their
 * data, but they are on its timeline.
 */
const isOfContacts = (type: EventType): boolean =>
  type.subject === 'lead' ||
  'contact_ids' in type.data.properties ||
  [type.timelineOf(type.example) ?? []].flat().length > 0

/** The names of the events that can start an automation or that a step can wait for, sorted. */
export const heardEvents = (all: EventTypes): string[] =>
  [...all.values()]
    .filter((type) => unheardBecause(type) === undefined)
    .map(({ name }) => name)
    .toSorted()

/** Why automations cannot listen to an event; undefined if they can. */
export function unheardBecause(type: EventType): string | undefined {
  if (unheard.has(type.name)) return 'is an event that automations cannot listen to'
  return isOfContacts(type)
    ? undefined
    : 'is not an event about a contact, so it cannot apply to an enrollment'
}
