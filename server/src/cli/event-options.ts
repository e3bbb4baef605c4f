import { InvalidArgumentError } from 'commander'
import type { EventType } from '#kernel/events/event.ts'
import { modules } from '../modules/index.ts'
import { aligned } from './answer.ts'

/** Every event that the outside may hear of. */
export const eventTypes: readonly (EventType & { scope: string })[] = modules
  .flatMap((module) => module.events ?? [])
  .flatMap((type) => (type.scope === null ? [] : [{ ...type, scope: type.scope }]))

/** For the end of a command's help. */
export const eventsHelp = `\nEvents:\n${aligned(eventTypes.map(({ name, summary }) => ['', name, summary]))}`

/** Names with spaces or commas between them; none for `all`. */
export function eventNamesOf(text: string): string[] {
  if (text === 'all') return []
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  if (names.length === 0) throw new InvalidArgumentError('Name events, or say all.')
  return names
}
