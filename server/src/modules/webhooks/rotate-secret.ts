import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { WebhookSecretRotated } from './events.ts'
import { requireScopesOf } from './own-scopes.ts'
import { lockWebhook, saveNewSecret } from './queries.ts'
import { newWebhookSecret, previousSecretMs, sealSecret } from './secret.ts'
import type { WebhookRow } from './webhook.ts'

/**
 * Replaces the signing secret. For 24 hours, deliveries are signed with the previous secret as well. An older one stops
 * at once.
 */
export async function rotateSecret(ctx: Ctx, id: string): Promise<{ row: WebhookRow; secret: string }> {
  const secret = newWebhookSecret()
  const now = ctx.clock.real.now()
  const row = await ctx.transaction(async (tx) => {
    const before = orNotFound(await lockWebhook(tx, id))
    requireScopesOf(before, ctx)
    const changed = {
      previous_secret_until: new Date(now.getTime() + previousSecretMs).toISOString(),
      updated_at: timeAfter(before.updated_at, now),
    }
    await saveNewSecret(tx, id, sealSecret(ctx.keys, ctx.workspaceId, id, secret), changed)
    await tx.emit(WebhookSecretRotated, { id, host: new URL(before.url).host })
    return { ...before, ...changed }
  })
  return { row, secret }
}
