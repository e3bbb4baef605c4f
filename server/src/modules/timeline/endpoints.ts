import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { listTimeline } from '#kernel/events/journal.ts'
import { created, endpoint, ok, pagedEndpoint } from '#kernel/http/endpoint.ts'
import { type Page, ListOf } from '#kernel/http/paging.ts'
import { findUnseen } from '#kernel/references.ts'
import { findContact } from '../contacts/public.ts'
import { addNote } from './add-note.ts'
import { NoteAdded } from './events.ts'
import { NoteDraft, TimelineEvent, presentEvent } from './schemas.ts'

export const getContactEvents = pagedEndpoint('GET /contacts/{id}/events', {
  scope: 'events:read',
  summary: "List a contact's events",
  description: "Returns the contact's timeline, newest first.",
  responses: { 200: ListOf(TimelineEvent) },
  fields: true,
  handle: async (ctx, { params, page }) => ok(await timelinePage(ctx, params.id, page)),
})

export const getContactNotes = pagedEndpoint('GET /contacts/{id}/notes', {
  scope: 'events:read',
  summary: "List a contact's notes",
  description:
    'The notes about the contact, newest first. Its other events are under `/contacts/{id}/events`.',
  responses: { 200: ListOf(TimelineEvent) },
  fields: true,
  handle: async (ctx, { params, page }) => ok(await timelinePage(ctx, params.id, page, NoteAdded.name)),
})

export const postContactNote = endpoint('POST /contacts/{id}/notes', {
  scope: 'contacts:write',
  summary: 'Add a note',
  description: "Pauses the AI's automatic responses to the contact.",
  body: NoteDraft,
  responses: { 201: TimelineEvent },
  fields: true,
  errors: { 409: '`contact_erased`: the contact has been erased.' },
  handle: async (ctx, { params, body }) =>
    created(presentEvent(await addNote(ctx, params.id, body.body), params.id, ctx)),
})

/**
 * Hides leads from the masked credential that captured them: their place on a timeline would reveal which contact has
 * the number.
 */
const readerOf = ({ masked, actor }: Ctx) => (masked ? { id: actor.id, ownSubject: 'lead' } : undefined)

async function timelinePage(ctx: Ctx, contactId: string, page: Page, name?: string) {
  const [contact, rows] = await Promise.all([
    findContact(ctx.db, contactId),
    listTimeline(ctx.db, readerOf(ctx), contactId, page, name),
  ])
  orNotFound(contact)
  const unseen = await findUnseen(
    ctx,
    rows.map(({ subject_type: type, subject_id: id }) => ({ type, id })),
  )
  return page.body(rows, (row) => presentEvent(row, contactId, ctx, unseen.has(row.subject_id)))
}
