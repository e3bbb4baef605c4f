import { ValidationFailed } from '#kernel/errors.ts'
import type { EventTypes } from '#kernel/events/event.ts'
import { type FormFields, type Html, field, html } from '../pages/public.ts'
import type { WebhookRow } from '../webhooks/public.ts'
import { type ChosenEvents, eventChoices } from './event-choices.ts'
import type { FormState } from './form-state.ts'

export interface EnteredWebhook {
  url: string
  description: string
  events: ChosenEvents
}

export const blankWebhook: EnteredWebhook = { url: '', description: '', events: { all: true, names: [] } }

export const enteredOf = ({ url, description, event_types }: WebhookRow): EnteredWebhook => ({
  url,
  description: description ?? '',
  events: { all: event_types.length === 0, names: event_types },
})

export const enteredWebhook = (form: FormFields): EnteredWebhook => ({
  url: form.text('url').trim(),
  description: form.text('description').trim(),
  events: { all: form.text('events') !== 'some', names: form.all('event_types') },
})

/**
 * Converts the chosen events to the input of the use cases, where an empty list means all. Throws `ValidationFailed` if
 * the person chose to select events but selected none.
 */
export function chosenEvents({ all, names }: ChosenEvents): readonly string[] {
  if (all) return []
  if (names.length === 0)
    throw ValidationFailed([{ path: 'events', message: 'must name at least one event, or all events' }])
  return names
}

export const webhookFields = (
  { eventTypes, scopes }: { eventTypes: EventTypes; scopes: ReadonlySet<string> },
  { url, description, events }: EnteredWebhook,
  errors: FormState['errors'],
): Html => html`${field({
  name: 'url',
  label: 'URL',
  type: 'url',
  value: url,
  hint: 'Gable posts events to this address. It must begin with https:// and be reachable from the Internet.',
  error: errors['url'],
  maxLength: 2048,
})}
${field({
  name: 'description',
  label: 'Description',
  value: description,
  error: errors['description'],
  maxLength: 200,
  optional: true,
})}
${eventChoices(eventTypes, scopes, events, errors['events'] ?? errors['event_types'])}`
