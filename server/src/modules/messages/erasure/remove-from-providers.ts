import type { Ctx } from '#kernel/context.ts'
import { type ProviderAccount, openAccount } from '../../senders/public.ts'
import type { Carriers } from '../ports.ts'
import { type RemovalRow, claimRemovals, endRemovals } from './removal-queries.ts'

const minuteMs = 60_000

/** Pauses after failed attempts. The last one repeats. */
const pausesMs = [1, 5, 30, 120, 720].map((minutes) => minutes * minuteMs)

/** How long Gable retries a removal. */
const givenUpAfterMs = 14 * 24 * 60 * minuteMs

/** How many removals run at once, and how long a run starts further ones. */
const atOnce = 8
const runMs = 40_000

/** Removes the content of a workspace's erased messages from their providers' records, if the provider has a call for that. */
export async function removeFromProviders(ctx: Ctx, carriers: Carriers): Promise<void> {
  const at = ctx.clock.now()
  const until = ctx.clock.elapsed() + runMs
  const counts = { removed: 0, failed: 0, givenUp: 0 }
  while (ctx.clock.elapsed() < until) {
    const due = await ctx.transaction((tx) => claimRemovals(tx, at, { pausesMs, limit: atOnce }))
    if (due.length === 0) break
    const outcomes = await Promise.all(due.map((one) => remove(ctx, carriers, one, at)))
    const ended = due.filter((_, index) => outcomes[index] !== 'failed').map(({ message_id }) => message_id)
    if (ended.length > 0) await ctx.transaction(async (tx) => endRemovals(tx, ended))
    for (const outcome of outcomes) counts[outcome]++
  }
  if (counts.removed + counts.failed + counts.givenUp > 0)
    ctx.log.info({ workspaceId: ctx.workspaceId, ...counts }, 'erased messages removed at their providers')
}

/** `failed`: it is retried later. */
async function remove(
  ctx: Ctx,
  carriers: Carriers,
  { message_id, connection_id, provider_message_id, created_at }: RemovalRow,
  at: Date,
): Promise<'removed' | 'failed' | 'givenUp'> {
  const account = await openAccount(ctx, connection_id).catch(() => undefined)
  if (await isGone(carriers, account, provider_message_id)) return 'removed'
  if (at.getTime() - Date.parse(created_at) <= givenUpAfterMs) return 'failed'
  ctx.log.error(
    { messageId: message_id, connectionId: connection_id },
    'an erased message was not removed at its provider; it is not tried again',
  )
  return 'givenUp'
}

/** Whether the provider has nothing left of the message that can be removed. */
async function isGone(
  carriers: Carriers,
  account: ProviderAccount | undefined,
  providerMessageId: string,
): Promise<boolean> {
  if (account === undefined) return false
  const carrier = carriers[account.provider]
  if (carrier === undefined) return false
  if (carrier.forget === undefined) return true
  return carrier.forget(account, providerMessageId).catch(() => false)
}
