import type { Ctx, Tx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { WebhookWasRemoved } from './events.ts'
import { type WebhookRow, removeWebhook as deleteRow, lockWebhook, lockWebhooksOfApp } from './queries.ts'

/** Unsubscribes: no attempt begins any more, and what was waiting is forgotten. */
export const removeWebhook = (ctx: Ctx, id: string): Promise<void> =>
  ctx.transaction(async (tx) => remove(tx, found(await lockWebhook(tx, id))))

/** Unsubscribes all that the app made. */
export async function removeWebhooksOfApp(tx: Tx, appId: string): Promise<void> {
  for (const row of await lockWebhooksOfApp(tx, appId)) await remove(tx, row)
}

async function remove(tx: Tx, { id, url }: WebhookRow): Promise<void> {
  await deleteRow(tx, id)
  await tx.emit(WebhookWasRemoved, { id, url })
}
