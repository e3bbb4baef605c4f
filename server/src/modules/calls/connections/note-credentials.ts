import type { Ctx } from '#kernel/context.ts'
import { markCredentials } from '../../senders/public.ts'
import type { ProviderAccount, SendOutcome } from '../ports.ts'

/** Notes on a connection that its provider rejected the credentials when a call was placed, or accepts them again. */
export async function noteCredentials(
  ctx: Ctx,
  { id, isRejected = false }: ProviderAccount,
  outcome: SendOutcome,
): Promise<void> {
  const rejects = outcome.kind === 'later' && outcome.failure.code === 'credentials_rejected'
  if (rejects || (isRejected && outcome.kind === 'taken'))
    await ctx.transaction((tx) => markCredentials(tx, id, rejects))
}
