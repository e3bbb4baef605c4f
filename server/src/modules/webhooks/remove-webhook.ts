import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { WebhookWasRemoved } from './events.ts'
import { deleteWebhookRow, lockWebhook, lockWebhooksOfApp } from './queries.ts'
import type { WebhookRow } from './webhook.ts'

/** Deletes a webhook. No further attempt begins, and pending deliveries are dropped. */
export const removeWebhook = (ctx: Ctx, id: string): Promise<void> =>
  ctx.transaction(async (tx) => remove(tx, orNotFound(await lockWebhook(tx, id))))

/** Deletes the webhooks that an app created. */
export async function removeWebhooksOfApp(tx: Tx, appId: string): Promise<void> {
  for (const row of await lockWebhooksOfApp(tx, appId)) await remove(tx, row)
}

async function remove(tx: Tx, { id, url }: WebhookRow): Promise<void> {
  await deleteWebhookRow(tx, id)
  await tx.emit(WebhookWasRemoved, { id, host: new URL(url).host })
}
