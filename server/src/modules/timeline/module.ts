import { scrubTimeline } from '#kernel/events/journal.ts'
import type { Module } from '#kernel/module.ts'
import { on } from '#kernel/subscription.ts'
import { ContactWasErased } from '../contacts/public.ts'
import * as endpoints from './endpoints.ts'
import { NoteAdded } from './events.ts'

export const timeline: Module = {
  tag: 'Timeline',
  endpoints: Object.values(endpoints),
  events: [NoteAdded],
  subscriptions: [on(ContactWasErased, (tx, { id }) => scrubTimeline(tx, id))],
}
