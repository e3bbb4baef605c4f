import type { Module } from '#kernel/module.ts'
import { getContactEvents, getContactNotes, postContactNote } from './endpoints.ts'
import { NoteAdded } from './events.ts'

export const timeline: Module = {
  endpoints: [getContactEvents, getContactNotes, postContactNote],
  events: [NoteAdded],
}
