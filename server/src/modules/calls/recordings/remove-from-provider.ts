import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { openAccount } from '../../senders/public.ts'
import type { VoiceCarriers } from '../ports.ts'
import { type CallRemoval, deleteRemoval, postponeRemoval } from '../queries.ts'

/**
 * Removes a call's data at the provider after Gable has erased it. Retries with exponential backoff, up to 24 hours
 * between attempts, until it succeeds. It can't succeed while the connection has no credentials.
 */
export async function removeFromProvider(
  ctx: Ctx,
  voice: VoiceCarriers,
  removal: CallRemoval,
): Promise<void> {
  const account = await openAccount(ctx, removal.connection_id)
  const carrier = account && voice[account.provider]
  const isDone =
    account !== undefined &&
    carrier !== undefined &&
    (await carrier.erase(account, removal.provider_call_id).catch(() => false))
  const next = later(ctx.clock.now(), Math.min(60_000 * 2 ** removal.attempts, 24 * 3_600_000))
  await ctx.transaction(async (tx) =>
    isDone ? deleteRemoval(tx, removal) : postponeRemoval(tx, removal, next),
  )
}
