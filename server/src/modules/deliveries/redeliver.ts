import type { Ctx, Tx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { findWebhook, statusOf } from '../webhooks/public.ts'
import { DeliveryPending, WebhookNotActive } from './errors.ts'
import { recoverDeliveries } from './jobs.ts'
import { type DeliveryRow, countFailed, findDelivery, startAnew } from './queries.ts'

/** Sends a delivery that is over once more, with the same event_id and payload: a new round of six attempts at most. */
export const redeliver = (ctx: Ctx, webhookId: string, id: string): Promise<DeliveryRow> =>
  ctx.transaction(async (tx) => {
    await requireInUse(tx, webhookId)
    const anew = await startAnew(tx, webhookId, id, ctx.clock.now())
    if (anew !== undefined) return anew
    found(await findDelivery(tx, webhookId, id))
    throw DeliveryPending()
  })

/** Sends everything again that failed of the events since then; answers how many there are. */
export const recover = (ctx: Ctx, webhookId: string, since: Date): Promise<number> =>
  ctx.transaction(async (tx) => {
    await requireInUse(tx, webhookId)
    const now = ctx.clock.now()
    const from = firstIdAt(since.getTime())
    const to = firstIdAt(now.getTime() + 1)
    const { count } = await countFailed(tx, webhookId, from, to)
    if (count > 0) tx.enqueue(recoverDeliveries, { webhook_id: webhookId, from, to })
    return count
  })

/** Throws for a webhook that is not there, or that is disabled: nothing would be sent. */
async function requireInUse(tx: Tx, webhookId: string): Promise<void> {
  const status = statusOf(found(await findWebhook(tx, webhookId)))
  if (status === 'disabled') throw WebhookNotActive(status)
}
