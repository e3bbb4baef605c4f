import type { Ctx } from '#kernel/context.ts'
import { listJournal } from '#kernel/events/journal.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { ListOf } from '#kernel/http/paging.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { requireEventNames, theCredential } from './event-names.ts'
import {
  EventFilters,
  EventTypeShape,
  JournalEvent,
  presentEventType,
  presentJournalEvent,
} from './schemas.ts'
import { momentOf } from './since.ts'

const tag = 'Events'

export const getEventTypes = endpoint('GET /event-types', {
  scope: 'any',
  tag,
  summary: 'List event types',
  description: 'Every event that can be subscribed to, whatever the credential may see. All on one page.',
  answers: { 200: ListOf(EventTypeShape) },
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

export const getEvents = endpoint('GET /events', {
  scope: 'events:read',
  tag,
  summary: 'List events',
  description:
    'What happened in the last 30 days, newest first, as webhooks tell it; only events whose own scope, such as `contacts:read`, the credential holds as well. To follow along, ask again with a `since` a minute before the newest you have, and pass over each `event_id` that you know: an event shows when its change is committed, which can be seconds after it occurred.',
  query: EventFilters,
  answers: { 200: ListOf(JournalEvent) },
  list: true,
  fields: true,
  handle: async (ctx, { query, page }) => {
    const now = ctx.clock.now()
    const kept = now.getTime() - journalMs
    const oldest = query.since === undefined ? kept : Math.max(momentOf(query.since), kept)
    const filters = { names: namesFor(ctx, query.type), from: firstIdAt(oldest) }
    const rows = await listJournal(ctx.searches, filters, page)
    return ok(page.answer(rows, (row) => presentJournalEvent(ctx.workspaceId, row)))
  },
})

/** The events that the caller may see; of them the one that was asked for, if one was. */
function namesFor(ctx: Ctx, asked: string | undefined): string[] {
  if (asked !== undefined) return requireEventNames(ctx, [asked], theCredential(ctx), 'type')
  return [...ctx.eventTypes.values()].flatMap(({ name, scope }) =>
    scope !== null && ctx.scopes.has(scope) ? [name] : [],
  )
}
