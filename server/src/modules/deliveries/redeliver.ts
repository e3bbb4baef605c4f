import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { findWebhook, statusOf } from '../webhooks/public.ts'
import type { DeliveryRow } from './delivery.ts'
import { DeliveryPending, WebhookNotActive } from './errors.ts'
import { recoverDeliveries } from './jobs.ts'
import { countRecoverable, findDelivery, requeue } from './queries.ts'

/**
 * Resends a delivery with the same event_id and payload: one that is over in a new round of up to six attempts, one that
 * waits for its next attempt now. Throws `DeliveryPending` while an attempt is in flight.
 */
export const redeliver = (ctx: Ctx, webhookId: string, id: string): Promise<DeliveryRow> =>
  ctx.transaction(async (tx) => {
    await requireEnabled(tx, webhookId)
    const requeued = await requeue(tx, webhookId, id, tx.clock.real)
    if (requeued !== undefined) return requeued
    orNotFound(await findDelivery(tx, webhookId, id))
    throw DeliveryPending()
  })

/** Resends every delivery of events since `since` that failed or waits for another attempt. Returns how many there are. */
export const recover = (ctx: Ctx, webhookId: string, since: Date): Promise<number> =>
  ctx.transaction(async (tx) => {
    await requireEnabled(tx, webhookId)
    const now = ctx.clock.real.now()
    const from = firstIdAt(since.getTime())
    const to = firstIdAt(now.getTime() + 1)
    const { count } = await countRecoverable(tx, webhookId, from, to, tx.clock.real)
    if (count > 0) tx.enqueue(recoverDeliveries, { webhook_id: webhookId, from, to })
    return count
  })

/** Throws `NotFound`, and `WebhookNotActive` for a disabled webhook, because nothing is sent to it. */
async function requireEnabled(tx: Tx, webhookId: string): Promise<void> {
  const status = statusOf(orNotFound(await findWebhook(tx, tx.actor, webhookId)))
  if (status === 'disabled') throw WebhookNotActive(status)
}
