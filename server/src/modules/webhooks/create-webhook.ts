import type { Ctx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { requireEventNames, theCredential } from '../events/public.ts'
import { requireGrant } from '../oauth/public.ts'
import type { Address } from './address.ts'
import { TooManyWebhooks } from './errors.ts'
import { type WebhookRow, countWebhooks, insertWebhook } from './queries.ts'
import { maxWebhooks, newWebhookSecret, sealSecret } from './webhook.ts'

/**
 * Subscribes an endpoint, with the scopes of whoever asks. What an app subscribes lives as long as its grant does. The
 * secret is shown this once and kept sealed.
 */
export async function createWebhook(
  ctx: Ctx,
  address: Address,
  { event_types = [], description = null }: { event_types?: readonly string[]; description?: string | null },
): Promise<{ row: WebhookRow; secret: string }> {
  const names = requireEventNames(ctx, event_types, theCredential(ctx))
  const now = ctx.clock.now()
  const at = now.toISOString()
  const secret = newWebhookSecret()
  const appId = ctx.actor.type === 'oauth_app' ? ctx.actor.id : null
  const row: WebhookRow = {
    id: newId(now),
    url: address,
    description,
    event_types: names,
    scopes: [...ctx.scopes],
    previous_secret_until: null,
    paused: false,
    disabled_at: null,
    failing_since: null,
    app_id: appId,
    paused_with_app: false,
    created_at: at,
    updated_at: at,
  }
  const made = await ctx.transaction(async (tx) => {
    const allowed = appId === null ? ctx.scopes : await requireGrant(tx, appId)
    const granted = { ...row, scopes: row.scopes.filter((scope) => allowed.has(scope)) }
    if ((await countWebhooks(tx)) >= maxWebhooks) throw TooManyWebhooks()
    await insertWebhook(tx, granted, sealSecret(ctx.keys, ctx.workspaceId, row.id, secret))
    return granted
  })
  return { row: made, secret }
}
