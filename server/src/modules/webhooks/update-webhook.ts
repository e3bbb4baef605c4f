import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { requireEventNames, theWebhook } from '../events/public.ts'
import type { Address } from './address.ts'
import { requireScopesOf } from './own-scopes.ts'
import { type WebhookRow, lockWebhook, saveWebhook } from './queries.ts'
import type { WebhookPatch } from './schemas.ts'

/**
 * Changes what the patch names. `paused: false` also takes a disabled webhook into use again. Another address is a
 * matter of who may see what is sent there, so it takes all the scopes that the subscription has.
 */
export async function updateWebhook(
  ctx: Ctx,
  id: string,
  address: Address | undefined,
  { event_types, description, paused }: Omit<WebhookPatch, 'url'>,
): Promise<WebhookRow> {
  return ctx.transaction(async (tx) => {
    const before = found(await lockWebhook(tx, id))
    const moves = address !== undefined && address !== before.url
    if (moves) requireScopesOf(before, ctx)
    const names =
      event_types === undefined ? undefined : requireEventNames(ctx, event_types, theWebhook(before))
    const after: WebhookRow = {
      ...before,
      url: address ?? before.url,
      event_types: names ?? before.event_types,
      description: description === undefined ? before.description : description,
      // What rests with its app goes on with it.
      paused: (paused ?? before.paused) || before.paused_with_app,
      // Another address has a record of its own.
      failing_since: paused === false || moves ? null : before.failing_since,
      disabled_at: paused === false ? null : before.disabled_at,
      updated_at: ctx.clock.now().toISOString(),
    }
    await saveWebhook(tx, after)
    return after
  })
}
