import type { Ctx } from '#kernel/context.ts'
import { WebhookDisabled } from './events.ts'
import { lockWebhook, saveWebhook } from './queries.ts'
import { giveUpMs, webhookRecord } from './webhook.ts'

/** Disables a webhook whose attempts have all failed for five days. Returns false if that is no longer the case. */
export const disableWebhook = (ctx: Ctx, id: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const row = await lockWebhook(tx, id)
    const now = ctx.clock.real.now()
    if (row === undefined || row.disabled_at !== null || row.failing_since === null) return false
    if (Date.parse(row.failing_since) > now.getTime() - giveUpMs) return false
    const patched = webhookRecord.applyPatch(row, { disabled_at: now.toISOString() }, now)
    if (patched !== undefined) await saveWebhook(tx, id, patched.changed)
    await tx.emit(WebhookDisabled, {
      id,
      url: row.url,
      app_id: row.app_id,
      failing_since: row.failing_since,
      reason: `Every attempt since ${row.failing_since} has failed.`,
    })
    return true
  })
