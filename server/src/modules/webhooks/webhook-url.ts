import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'

declare const checked: unique symbol
/** A URL that events may be sent to. Only `checkWebhookUrl` creates one. */
export type WebhookUrl = string & { readonly [checked]: true }

/**
 * Throws `ValidationFailed` for a URL that events may not be sent to, because of its form or the addresses that its
 * host currently resolves to. Sends nothing to it. It resolves the host over the network, so never call it inside a
 * transaction.
 */
export async function checkWebhookUrl({ egress }: Ctx, url: string): Promise<WebhookUrl> {
  const issue = await egress.inspect(url)
  if (issue !== undefined) throw ValidationFailed([{ path: 'url', message: issue }])
  return url as WebhookUrl
}
