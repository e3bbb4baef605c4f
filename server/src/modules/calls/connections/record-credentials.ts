import type { Ctx } from '#kernel/context.ts'
import { markCredentials } from '../../senders/public.ts'
import type { ProviderAccount, SendOutcome } from '../ports.ts'

/**
 * Updates the connection's credential status after an attempt to place a call: marks the credentials as rejected, or
 * clears the mark when the provider accepts them again.
 */
export async function recordCredentials(
  ctx: Ctx,
  { id, isRejected = false }: ProviderAccount,
  outcome: SendOutcome,
): Promise<void> {
  const rejects = outcome.kind === 'later' && outcome.failure.code === 'credentials_rejected'
  if (rejects || (isRejected && outcome.kind === 'taken'))
    await ctx.transaction((tx) => markCredentials(tx, id, rejects))
}
