import { Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { listTimeline } from '#kernel/events/journal.ts'
import { created, endpoint, ok, pagedEndpoint } from '#kernel/http/endpoint.ts'
import { custom, filters, several } from '#kernel/http/filters.ts'
import { type Page, ListOf } from '#kernel/http/paging.ts'
import { findUnseen } from '#kernel/references.ts'
import { findContact } from '../contacts/public.ts'
import { addNote } from './add-note.ts'
import { NoteAdded } from './events.ts'
import { readerOf } from './reader.ts'
import { NoteDraft, TimelineEvent, entryTypes, presentEvent } from './schemas.ts'

const timelineFilters = filters({
  type: custom(several(Type.Enum(entryTypes), 100, 'Return only entries of these types.')),
})

export const getContactEvents = pagedEndpoint('GET /contacts/{id}/events', {
  scope: 'events:read',
  summary: "List a contact's events",
  description: "Returns the contact's timeline, newest first.",
  query: timelineFilters.query,
  responses: { 200: ListOf(TimelineEvent) },
  fields: true,
  handle: async (ctx, { params, query, page }) =>
    ok(await timelinePage(ctx, params.id, page, query.type && namesOf(ctx, query.type))),
})

export const getContactNotes = pagedEndpoint('GET /contacts/{id}/notes', {
  scope: 'events:read',
  summary: "List a contact's notes",
  description:
    'The notes about the contact, newest first. Its other events are under `/contacts/{id}/events`.',
  responses: { 200: ListOf(TimelineEvent) },
  fields: true,
  handle: async (ctx, { params, page }) => ok(await timelinePage(ctx, params.id, page, [NoteAdded.name])),
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

/** The names of the events whose entries have one of these types. */
const namesOf = ({ eventTypes }: Ctx, types: readonly string[]): string[] =>
  [...eventTypes.values()].flatMap(({ name, entry, example }) =>
    types.includes(entry(example).type) ? [name] : [],
  )

async function timelinePage(ctx: Ctx, contactId: string, page: Page, names?: readonly string[]) {
  const [contact, rows] = await Promise.all([
    findContact(ctx.db, contactId),
    listTimeline(ctx.db, readerOf(ctx), contactId, page, names),
  ])
  orNotFound(contact)
  const unseen = await findUnseen(
    ctx,
    rows.map(({ subject_type: type, subject_id: id }) => ({ type, id })),
  )
  return page.body(rows, (row) => presentEvent(row, contactId, ctx, unseen.has(row.subject_id)))
}
