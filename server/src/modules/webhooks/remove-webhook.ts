import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { WebhookWasRemoved } from './events.ts'
import { lockWebhook, removeWebhook as deleteRow } from './queries.ts'

/** Unsubscribes: no attempt begins any more, and what was waiting is forgotten. */
export const removeWebhook = (ctx: Ctx, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const { url } = found(await lockWebhook(tx, id))
    await deleteRow(tx, id)
    await tx.emit(WebhookWasRemoved, { id, url })
  })
