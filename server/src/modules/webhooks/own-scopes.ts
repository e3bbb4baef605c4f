import type { Ctx } from '#kernel/context.ts'
import { InsufficientScope } from '#kernel/http/answer.ts'
import type { WebhookRow } from './queries.ts'

/**
 * Throws InsufficientScope unless the caller holds every scope of the subscription. Without this, a credential that
 * may manage webhooks and see nothing could have another's events sent to itself.
 */
export function requireScopesOf({ scopes }: WebhookRow, ctx: Ctx): void {
  const missing = scopes.find((scope) => !ctx.scopes.has(scope))
  if (missing !== undefined) throw InsufficientScope(missing)
}
