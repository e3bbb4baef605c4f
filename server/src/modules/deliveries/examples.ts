import type { Ctx, Tx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import type { EventType } from '#kernel/events/event.ts'
import { type JournalRow, insertEvent } from '#kernel/events/journal.ts'
import { payloadText } from '#kernel/events/payload.ts'
import { newId } from '#kernel/ids.ts'
import { requireEventNames, theCredential, theWebhook } from '../events/public.ts'
import { findWebhook, statusOf } from '../webhooks/public.ts'
import { WebhookNotActive } from './errors.ts'
import { WebhookTested } from './events.ts'
import { type DeliveryRow, type Told, fanOut, tellOne } from './queries.ts'

/** Sends one subscription an example of an event, as a delivery like any other; its data has `test: true`. */
export const sendTest = (ctx: Ctx, webhookId: string, name = WebhookTested.name): Promise<DeliveryRow> =>
  ctx.transaction(async (tx) => {
    const webhook = found(await findWebhook(tx, webhookId))
    const status = statusOf(webhook)
    if (status !== 'active') throw WebhookNotActive(status)
    requireEventNames(ctx, [name], theWebhook(webhook), 'event_type')
    const { type, row } = exampleOf(ctx, name)
    if (name === WebhookTested.name) row.data['id'] = webhookId
    return tellOne(tx, webhookId, told(tx, type, row))
  })

/**
 * Lets an example of an event happen: it stands in the journal and goes to every subscription that wants it, and has
 * `test: true` in its data. Nothing in the house acts on it, and it is on nobody's timeline.
 */
export const triggerExample = (ctx: Ctx, name: string): Promise<JournalRow> =>
  ctx.transaction(async (tx) => {
    requireEventNames(ctx, [name], theCredential(ctx), 'event')
    const { type, row } = exampleOf(ctx, name)
    tx.write(insertEvent(tx.workspaceId, row))
    fanOut(tx, told(tx, type, row))
    return row
  })

function exampleOf({ clock, eventTypes, actor }: Ctx, name: string): { type: EventType; row: JournalRow } {
  const type = found(eventTypes.get(name))
  const at = clock.now()
  const data: JournalRow['data'] = { ...type.example, test: true }
  const row: JournalRow = {
    id: newId(at),
    name,
    subject_type: type.subject,
    subject_id: String(data['id']),
    timeline_id: null,
    actor,
    data,
    occurred_at: at.toISOString(),
  }
  return { type, row }
}

const told = (tx: Tx, { scope }: EventType, row: JournalRow): Told => ({
  event: row.name,
  scope: scope ?? '',
  eventId: row.id,
  at: row.occurred_at,
  body: payloadText(tx.workspaceId, row),
})
