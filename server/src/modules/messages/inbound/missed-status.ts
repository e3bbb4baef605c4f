import type { Ctx } from '#kernel/context.ts'
import { defineFollowUp } from '#kernel/jobs/follow-up.ts'
import { openAccount } from '../../senders/public.ts'
import type { Carriers } from '../ports.ts'
import { listMessagesById } from '../queries.ts'
import { listWithoutFinalStatus, markStatusSought } from './queries.ts'
import { recordStatus } from './record-status.ts'

/** Looks up, once, messages that were sent an hour ago and have no final status: its callback may have been lost. */
export const missedStatuses = defineFollowUp('look-up-status', { listDue: listWithoutFinalStatus })

export const lookUpStatuses = (carriers: Carriers) =>
  missedStatuses.job((ctx, id) => lookUpStatus(ctx, carriers, id))

/**
 * Asks the provider for the status of a message, and records it. Throws if the provider cannot be reached; the message is
 * then looked up again.
 */
export async function lookUpStatus(ctx: Ctx, carriers: Carriers, id: string): Promise<void> {
  const [message] = await listMessagesById(ctx.db, [id])
  if (message?.status !== 'sent') return
  const { connection_id, provider_message_id } = message
  const account = connection_id === null ? undefined : await openAccount(ctx, connection_id)
  const carrier = account && carriers[account.provider]
  const report =
    account === undefined || provider_message_id === null
      ? undefined
      : await carrier?.readStatus?.(account, provider_message_id)
  await ctx.transaction(async (tx) => {
    if (report !== undefined && account !== undefined) await recordStatus(tx, account, report)
    markStatusSought(tx, id, tx.clock.now())
  })
}
