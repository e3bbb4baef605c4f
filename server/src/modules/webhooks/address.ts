import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'

declare const checked: unique symbol
/** An address that something may be sent to; only checkAddress makes one. */
export type Address = string & { readonly [checked]: true }

/**
 * Throws ValidationFailed for an address that nothing may be sent to, by its looks or by where its name leads now.
 * Whether anybody answers there shows later. Asks the network, so never inside a transaction.
 */
export async function checkAddress({ egress }: Ctx, url: string): Promise<Address> {
  const fault = await egress.inspect(url)
  if (fault !== undefined) throw ValidationFailed([{ path: 'url', message: fault }])
  return url as Address
}
