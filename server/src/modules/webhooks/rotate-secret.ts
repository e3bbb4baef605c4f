import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { requireScopesOf } from './own-scopes.ts'
import { type WebhookRow, lockWebhook, replaceSecret } from './queries.ts'
import { newWebhookSecret, previousSecretMs, sealSecret } from './webhook.ts'

/** A new secret, shown this once. The one before it signs beside it for 24 hours; one before that no more. */
export async function rotateSecret(ctx: Ctx, id: string): Promise<{ row: WebhookRow; secret: string }> {
  const secret = newWebhookSecret()
  const now = ctx.clock.now()
  const until = new Date(now.getTime() + previousSecretMs)
  const row = await ctx.transaction(async (tx) => {
    requireScopesOf(found(await lockWebhook(tx, id)), ctx)
    return found(await replaceSecret(tx, id, sealSecret(ctx.keys, ctx.workspaceId, id, secret), until, now))
  })
  return { row, secret }
}
