import type { Ctx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed } from '#kernel/errors.ts'
import { findWebhook } from '../webhooks/public.ts'
import type { Definition } from './definition/definition.ts'
import { placedSteps } from './definition/tree.ts'

/**
 * Checks the webhooks that steps sign with, and the URLs that they post to, by the same rules as the URLs of webhooks. Uses the network, so
 * never call it inside a transaction. Throws 404 for an unknown webhook, and `ValidationFailed` for a URL.
 */
export async function requireWebhooks(ctx: Ctx, { steps }: Definition): Promise<void> {
  for (const [step, at] of placedSteps(steps, 'definition.steps')) {
    if (step.type !== 'webhook') continue
    const message = await ctx.egress.inspect(step.url)
    if (message !== undefined) throw ValidationFailed([{ path: `${at}.url`, message }])
    if ((await findWebhook(ctx.db, ctx.actor, step.webhook_id)) === undefined)
      throw ReferenceNotFound(`${at}.webhook_id`)
  }
}
