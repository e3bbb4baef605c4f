import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'

declare const checked: unique symbol
/** A URL that events may be sent to. Only `checkWebhookUrl` makes one. */
export type WebhookUrl = string & { readonly [checked]: true }

/**
 * Throws `ValidationFailed` for a URL that events may not be sent to, by its form or by what its host resolves to now.
 * Sends nothing to it. It uses the network, so never call it inside a transaction.
 */
export async function checkWebhookUrl({ egress }: Ctx, url: string): Promise<WebhookUrl> {
  const issue = await egress.inspect(url)
  if (issue !== undefined) throw ValidationFailed([{ path: 'url', message: issue }])
  return url as WebhookUrl
}
