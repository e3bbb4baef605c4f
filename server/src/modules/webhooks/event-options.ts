import { InvalidArgumentError } from 'commander'
import { aligned } from '#kernel/cli/presentation.ts'
import type { EventTypes, PublishedEventType } from '#kernel/events/event.ts'

/** Every event that webhooks can receive. */
export const publishedEvents = (types: EventTypes): PublishedEventType[] =>
  [...types.values()].flatMap((type) => (type.scope === null ? [] : [{ ...type, scope: type.scope }]))

/** The list of events for the end of a command's help. */
export const eventsHelp = (types: EventTypes): string =>
  `\nEvents:\n${aligned(publishedEvents(types).map(({ name, summary }) => ['', name, summary]))}`

/** Parses event names separated by spaces or commas. Returns an empty list for `all`. */
export function eventNamesOf(text: string): string[] {
  if (text === 'all') return []
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  if (names.length === 0) throw new InvalidArgumentError('Name at least one event, or use all.')
  return names
}
