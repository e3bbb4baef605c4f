import type { EventTypes } from '#kernel/events/event.ts'
import { type Html, choices, html } from '../pages/public.ts'

/** What was chosen of all events: all of them, or some by their names. */
export interface ChosenEvents {
  all: boolean
  names: readonly string[]
}

/** All events, or some of them by what they are about. */
export const eventChoices = (
  eventTypes: EventTypes,
  { all, names }: ChosenEvents,
  fault: string | undefined,
): Html => {
  const told = [...eventTypes.values()].filter(({ scope }) => scope !== null)
  const groups = Map.groupBy(told, ({ name }) => name.split('.', 1)[0] ?? '')
  return html`${choices(
    'events',
    'What it is told',
    [
      { value: 'all', label: 'Everything', hint: 'Events of the future included.', chosen: all },
      { value: 'some', label: 'Only what is chosen here', chosen: !all },
    ],
    { single: true, fault },
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
