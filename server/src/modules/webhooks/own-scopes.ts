import type { Ctx } from '#kernel/context.ts'
import { InsufficientScope } from '#kernel/http/http-errors.ts'
import type { WebhookRow } from './webhook.ts'

/**
 * Throws `InsufficientScope` unless the caller has every scope of the webhook. Otherwise, a credential with only the
 * permission to manage webhooks could redirect another credential's events to itself.
 */
export function requireScopesOf({ scopes }: WebhookRow, ctx: Ctx): void {
  const missing = scopes.find((scope) => !ctx.scopes.has(scope))
  if (missing !== undefined) throw InsufficientScope(missing)
}
