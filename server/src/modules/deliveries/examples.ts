import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { EventType } from '#kernel/events/event.ts'
import { type JournalRow, insertEvent } from '#kernel/events/journal.ts'
import { payloadText } from '#kernel/events/payload.ts'
import { newId } from '#kernel/ids.ts'
import { requireEventNames, theCredential, theWebhook } from '../events/public.ts'
import { findWebhook, statusOf } from '../webhooks/public.ts'
import type { DeliveryRow } from './delivery.ts'
import { WebhookNotActive } from './errors.ts'
import { WebhookTested } from './events.ts'
import { type EventPayload, fanOut, enqueueDelivery } from './queries.ts'

/** Sends an example of an event to one webhook, with `test: true` in its data. */
export const sendTest = (ctx: Ctx, webhookId: string, name = WebhookTested.name): Promise<DeliveryRow> =>
  ctx.transaction(async (tx) => {
    const webhook = orNotFound(await findWebhook(tx, tx.actor, webhookId))
    const status = statusOf(webhook)
    if (status !== 'active') throw WebhookNotActive(status)
    requireEventNames(ctx, [name], theWebhook(webhook), 'event_type')
    const { type, row } = exampleOf(ctx, name)
    if (name === WebhookTested.name) row.data['id'] = webhookId
    return enqueueDelivery(tx, webhookId, payload(tx, type, row))
  })

/**
 * Emits an example of an event, with `test: true` in its data. It goes into the journal and to every webhook that
 * subscribes to it. No module acts on it, and no timeline shows it.
 */
export const triggerExample = (ctx: Ctx, name: string): Promise<JournalRow> =>
  ctx.transaction(async (tx) => {
    requireEventNames(ctx, [name], theCredential(ctx), 'event')
    const { type, row } = exampleOf(ctx, name)
    insertEvent(tx, row, type.audit)
    fanOut(tx, payload(tx, type, row))
    return row
  })

function exampleOf({ clock, eventTypes, actor }: Ctx, name: string): { type: EventType; row: JournalRow } {
  const type = orNotFound(eventTypes.get(name))
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
    hidden_from: null,
  }
  return { type, row }
}

const payload = (tx: Tx, { scope }: EventType, row: JournalRow): EventPayload => ({
  event: row.name,
  scope: scope ?? '',
  eventId: row.id,
  at: row.occurred_at,
  body: payloadText(tx.workspaceId, row),
})
