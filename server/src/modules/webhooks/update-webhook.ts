import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { requireEventNames, theWebhook } from '../events/public.ts'
import { WebhookUpdated } from './events.ts'
import { requireScopesOf } from './own-scopes.ts'
import { lockWebhook, saveWebhook } from './queries.ts'
import type { WebhookUrl } from './webhook-url.ts'
import { type WebhookPatch, type WebhookRow, webhookRecord } from './webhook.ts'

const fields = ['url', 'description', 'event_types', 'paused', 'disabled_at'] as const

/**
 * Applies the patch. `paused: false` also enables a disabled webhook. A new URL requires all scopes of the webhook,
 * because it determines who receives the events.
 */
export const updateWebhook = (
  ctx: Ctx,
  id: string,
  url: WebhookUrl | undefined,
  { url: _, ...patch }: WebhookPatch,
): Promise<WebhookRow> =>
  ctx.transaction(async (tx) => {
    const before = requireMatch(ctx, orNotFound(await lockWebhook(tx, id)))
    const moves = url !== undefined && url !== before.url
    if (moves) requireScopesOf(before, ctx)
    requireEventNames(ctx, patch.event_types ?? [], theWebhook(before))
    const changes = {
      ...patch,
      ...(moves ? { url } : {}),
      // A webhook that is paused with its app stays paused until the app is enabled.
      ...(before.paused_with_app ? { paused: true } : {}),
      // A new URL has no failures yet.
      ...(moves || patch.paused === false ? { failing_since: null } : {}),
      ...(patch.paused === false ? { disabled_at: null } : {}),
    }
    const patched = webhookRecord.applyPatch(before, changes, ctx.clock.real.now())
    if (patched === undefined) return before
    const { changed, after } = patched
    await saveWebhook(tx, id, changed)
    await tx.emit(WebhookUpdated, {
      id,
      host: new URL(after.url).host,
      changed: fields.filter((field) => field in changed),
    })
    return after
  })
