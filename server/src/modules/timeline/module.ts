import { scrubTimeline } from '#kernel/events/journal.ts'
import { on } from '#kernel/events/subscription.ts'
import type { Module } from '#kernel/module.ts'
import { ContactWasErased } from '../contacts/public.ts'
import { getContactEvents, getContactNotes, postContactNote } from './endpoints.ts'
import { NoteAdded } from './events.ts'

export const timeline: Module = {
  endpoints: [getContactEvents, getContactNotes, postContactNote],
  events: [NoteAdded],
  subscriptions: [on(ContactWasErased, (tx, { id }) => scrubTimeline(tx, id))],
}
