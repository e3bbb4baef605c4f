import type { EventTypes } from '#kernel/events/event.ts'
import { type Html, choices, html } from '../pages/public.ts'

/** The selected events: all of them, or some by name. */
export interface ChosenEvents {
  all: boolean
  names: readonly string[]
}

/** A choice between all events and selected ones. Offers the events that the scopes allow, grouped by noun. */
export const eventChoices = (
  eventTypes: EventTypes,
  scopes: ReadonlySet<string>,
  { all, names }: ChosenEvents,
  error: string | undefined,
): Html => {
  const offered = [...eventTypes.values()].filter(({ scope }) => scope !== null && scopes.has(scope))
  const groups = Map.groupBy(offered, ({ name }) => name.split('.', 1)[0] ?? '')
  return html`${choices(
    'events',
    'Events',
    [
      { value: 'all', label: 'All events', hint: 'Including event types that are added later.', chosen: all },
      { value: 'some', label: 'Only the selected events', chosen: !all },
    ],
    { single: true, error },
  )}
<div class="events">${[...groups].map(([noun, types]) =>
    choices(
      'event_types',
      headingOf(noun),
      types.map(({ name, summary }) => ({
        value: name,
        label: summary,
        hint: name,
        chosen: names.includes(name),
      })),
    ),
  )}</div>`
}

const headingOf = (noun: string): string => {
  const words = noun.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
