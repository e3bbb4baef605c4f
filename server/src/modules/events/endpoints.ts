import type { Static } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import type { Slice } from '#kernel/db/slice.ts'
import { NotFound, orNotFound } from '#kernel/errors.ts'
import { type JournalRow, listJournal } from '#kernel/events/journal.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { custom, equals, filters, several } from '#kernel/http/filters.ts'
import { InsufficientScope } from '#kernel/http/http-errors.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { ListOf } from '#kernel/http/paging.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { reference, text } from '#kernel/records/fields.ts'
import { withholdReferences } from '#kernel/references.ts'
import { Timestamp } from '#kernel/schemas.ts'
import { findReachable } from '../contacts/public.ts'
import { readerOf } from '../timeline/public.ts'
import { requireEventNames, theCredential } from './event-names.ts'
import { EventTypeShape, JournalEvent, presentEventType, presentJournalEvent } from './schemas.ts'
import { momentOf } from './since.ts'

export const getEventTypes = endpoint('GET /event-types', {
  scope: 'any',
  summary: 'List event types',
  description:
    'Lists every event that a webhook can subscribe to, regardless of the scopes of the credential, on one page.',
  responses: { 200: ListOf(EventTypeShape) },
  handle: async ({ eventTypes }) =>
    ok({
      data: [...eventTypes.values()].flatMap((type) =>
        type.scope === null ? [] : [presentEventType(type, type.scope)],
      ),
      next_cursor: null,
      has_more: false,
    }),
})

const journalMs = 30 * 24 * 3_600_000

const eventFilters = filters({
  type: custom(several(text(80), 100, 'Return only events with these names.')),
  subject_id: equals(text(40, 'Return only events about this record.')),
  contact_id: custom(reference('contact', 'Return only events that concern this contact.')),
  since: custom({
    ...Timestamp,
    description: 'Return only events that occurred at or after this time, up to 30 days ago.',
  }),
  before: custom({ ...Timestamp, description: 'Return only events that occurred before this time.' }),
})

export const getEvents = listEndpoint('GET /events', {
  scope: 'events:read',
  summary: 'List events',
  description:
    'Lists the events of the last 30 days as webhooks deliver them, newest first. Also requires the scope of each event, such as `contacts:read`; other events are omitted. To poll, repeat the request with `since` set to one minute before your newest event, and skip every `event_id` that you already have: an event appears when its change is committed, which can be seconds after it occurred.',
  item: JournalEvent,
  filters: eventFilters,
  rows: (ctx, { query, page }) => listSeen(ctx, query, page),
  complete: (rows, ctx) => withheld(ctx, rows),
  present: (row, ctx) => presentJournalEvent(ctx.workspaceId, row),
})

export const getEventCount = countEndpoint(getEvents)

export const getEvent = endpoint('GET /events/{id}', {
  scope: 'events:read',
  summary: 'Retrieve an event',
  description:
    'Returns an event of the last 30 days as webhooks deliver it. Also requires the scope of the event, such as `contacts:read`.',
  responses: { 200: JournalEvent },
  errors: { 403: 'The credential lacks `events:read` or the scope of the event.' },
  fields: true,
  async handle(ctx, { params }) {
    const one = { before: null, limit: 1, selection: { ids: [params.id] } }
    const found = await listSeen(ctx, {}, one, [...ctx.eventTypes.keys()])
    const scope = ctx.eventTypes.get(orNotFound(found[0]).name)?.scope ?? null
    if (scope === null) throw NotFound()
    if (!ctx.scopes.has(scope)) throw InsufficientScope(scope)
    const [event] = await withheld(ctx, found)
    return ok(presentJournalEvent(ctx.workspaceId, orNotFound(event)))
  },
})

/** The events within the caller's reach, newest first: those whose scopes it has, or those with these names. */
function listSeen(
  ctx: Ctx,
  query: Static<typeof eventFilters.query>,
  page: Slice,
  names = namesFor(ctx, query.type),
) {
  const kept = ctx.clock.now().getTime() - journalMs
  const oldest = query.since === undefined ? kept : Math.max(momentOf(query.since), kept)
  const of = {
    names,
    from: firstIdAt(oldest),
    before: query.before === undefined ? undefined : firstIdAt(momentOf(query.before)),
    subject: query.subject_id,
    timeline: query.contact_id,
    forApp: ctx.actor.type === 'oauth_app' ? (ctx.actor.id ?? '') : undefined,
    timelines: ctx.creator === undefined ? findReachable(ctx.searches()) : undefined,
    reader: readerOf(ctx),
  }
  return listJournal(ctx.searches(), of, page)
}

/** The events without the IDs in their data that the caller cannot see. */
async function withheld(ctx: Ctx, rows: readonly JournalRow[]): Promise<JournalRow[]> {
  const data = await withholdReferences(
    ctx,
    rows.map((row) => ({ schema: orNotFound(ctx.eventTypes.get(row.name)).data, value: row.data })),
    (work) => work(ctx.db),
  )
  return rows.map((row, i) => ({ ...row, data: data[i] ?? row.data }))
}

/** The names of all events that the caller may see, or only the requested ones. */
function namesFor(ctx: Ctx, requested: readonly string[] | undefined): string[] {
  if (requested !== undefined) return requireEventNames(ctx, requested, theCredential(ctx), 'type')
  return [...ctx.eventTypes.values()].flatMap(({ name, scope }) =>
    scope !== null && ctx.scopes.has(scope) ? [name] : [],
  )
}
