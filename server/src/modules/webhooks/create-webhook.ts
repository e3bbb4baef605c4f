import type { Ctx } from '#kernel/context.ts'
import { requireEventNames, theCredential } from '../events/public.ts'
import { requireGrant } from '../oauth/public.ts'
import { TooManyWebhooks } from './errors.ts'
import { WebhookCreated } from './events.ts'
import { countWebhooks, insertWebhook } from './queries.ts'
import { newWebhookSecret, sealSecret } from './secret.ts'
import type { WebhookUrl } from './webhook-url.ts'
import { type WebhookDraft, type WebhookRow, maxWebhooks, webhookRecord } from './webhook.ts'

/**
 * Creates a webhook with the scopes of the caller. An app's webhook lives as long as the app's grant. The returned
 * secret is stored encrypted and never shown again.
 */
export async function createWebhook(
  ctx: Ctx,
  url: WebhookUrl,
  draft: Omit<WebhookDraft, 'url'>,
): Promise<{ row: WebhookRow; secret: string }> {
  requireEventNames(ctx, draft.event_types ?? [], theCredential(ctx))
  const app_id = ctx.actor.type === 'oauth_app' ? ctx.actor.id : null
  const webhook = webhookRecord.create({ ...draft, url }, ctx.clock.real.now())
  const secret = newWebhookSecret()
  const row = await ctx.transaction(async (tx) => {
    const granted = app_id === null ? ctx.scopes : await requireGrant(tx, app_id)
    const scopes = [...ctx.scopes].filter((scope) => granted.has(scope))
    if ((await countWebhooks(tx)) >= maxWebhooks) throw TooManyWebhooks()
    const made = { ...webhook, scopes, app_id, created_by: ctx.creator ?? null }
    await insertWebhook(tx, made, sealSecret(ctx.keys, ctx.workspaceId, made.id, secret))
    await tx.emit(WebhookCreated, { id: made.id, host: new URL(made.url).host })
    return made
  })
  return { row, secret }
}
