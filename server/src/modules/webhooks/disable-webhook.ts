import type { Ctx } from '#kernel/context.ts'
import { WebhookDisabled } from './events.ts'
import { lockWebhook, saveWebhook } from './queries.ts'
import { giveUpMs } from './webhook.ts'

/** Gives up an endpoint that has failed for five days, and tells the others. Judges anew: it may have come back. */
export const disableWebhook = (ctx: Ctx, id: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const row = await lockWebhook(tx, id)
    const now = ctx.clock.now()
    if (row === undefined || row.disabled_at !== null || row.failing_since === null) return false
    if (Date.parse(row.failing_since) > now.getTime() - giveUpMs) return false
    const at = now.toISOString()
    await saveWebhook(tx, { ...row, disabled_at: at, updated_at: at })
    await tx.emit(WebhookDisabled, {
      id,
      url: row.url,
      failing_since: row.failing_since,
      reason: `Every attempt since ${row.failing_since} has failed.`,
    })
    return true
  })
