import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { listTimeline } from '#kernel/events/journal.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { type Page, ListOf } from '#kernel/http/paging.ts'
import { findContact } from '../contacts/public.ts'
import { addNote } from './add-note.ts'
import { NoteAdded } from './events.ts'
import { NoteDraft, TimelineEvent, presentEvent } from './schemas.ts'

const tag = 'Timeline'

export const getContactEvents = endpoint('GET /contacts/{id}/events', {
  scope: 'events:read',
  tag,
  summary: "A contact's timeline",
  description: 'Everything that happened with the contact, newest first.',
  answers: { 200: ListOf(TimelineEvent) },
  list: true,
  fields: true,
  handle: async (ctx, { params, page }) => ok(await timelinePage(ctx, params.id, page)),
})

export const getContactNotes = endpoint('GET /contacts/{id}/notes', {
  scope: 'events:read',
  tag,
  summary: "A contact's notes",
  description: 'Newest first.',
  answers: { 200: ListOf(TimelineEvent) },
  list: true,
  fields: true,
  handle: async (ctx, { params, page }) => ok(await timelinePage(ctx, params.id, page, NoteAdded.name)),
})

export const postContactNote = endpoint('POST /contacts/{id}/notes', {
  scope: 'contacts:write',
  tag,
  summary: 'Add a note',
  description: "Pauses the AI's automatic answers to the contact.",
  body: NoteDraft,
  answers: { 201: TimelineEvent },
  fields: true,
  errors: { 409: '`contact_erased`: the contact has been erased.' },
  handle: async (ctx, { params, body }) =>
    created(presentEvent(await addNote(ctx, params.id, body.body), ctx)),
})

async function timelinePage(ctx: Ctx, contactId: string, page: Page, name?: string) {
  const [contact, rows] = await Promise.all([
    findContact(ctx.db, contactId),
    listTimeline(ctx.db, contactId, page, name),
  ])
  found(contact)
  return page.answer(rows, (row) => presentEvent(row, ctx))
}
