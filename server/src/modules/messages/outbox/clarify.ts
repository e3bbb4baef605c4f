import { later } from '#kernel/clock.ts'
import type { Ctx, Runtime } from '#kernel/context.ts'
import { openAccount } from '../../senders/public.ts'
import { MessageUnknown } from '../events.ts'
import { eventOf } from '../message-event.ts'
import type { Carriers, StatusReport } from '../ports.ts'
import { findByProviderId, countUnclear, endAttempt, listMessagesById, lockMessages } from '../queries.ts'
import { lockContactsOfForShare } from '../queue/lock-contacts.ts'
import { type UnclearRow, clarifyLater, endAttempts, lockAttempts, retryAttempt } from '../queue/queries.ts'
import { lookupsMs } from '../queue/schedule.ts'
import { reportStatus } from '../report-status.ts'
import { systemContext } from '../system-context.ts'
import { settleSends } from './settle-sends.ts'

/**
 * Settles an attempt whose outcome no one knows. If its worker is gone, the attempt becomes unclear. Gable looks for an
 * unclear attempt at its provider. It does not send the message again, except an email: once, with the same Message-ID
 * and bytes. After the last lookup, the message stays `unknown`, and Gable publishes `message.unknown`.
 */
export async function clarify(
  runtime: Runtime,
  carriers: Carriers,
  { workspace_id: workspaceId, message_id, attempt_id: attemptId, began_at, state }: UnclearRow,
): Promise<void> {
  const { clock } = runtime
  if (state === 'sending') {
    const outcome = {
      kind: 'unknown' as const,
      message: 'The process that was sending the message ended before the outcome was known.',
    }
    return settleSends(runtime, workspaceId, [{ messageId: message_id, attemptId, outcome }])
  }
  const ctx = systemContext(runtime, workspaceId)
  const attempt = [{ messageId: message_id, attemptId }]
  const since = new Date(began_at)
  const at = clock.now()
  const next = lookupsMs.map((ms) => later(since, ms)).find((time) => time > at)
  // Committed before the lookup, so that a lookup that fails is not first in line forever.
  const isOpen = await ctx.transaction(async (tx) => {
    const [open] = await lockAttempts(tx, attempt)
    if (open !== undefined) clarifyLater(tx, message_id, next ?? later(at, lastLookMs))
    return open !== undefined
  })
  const report = isOpen
    ? await findReport(ctx, carriers, { messageId: message_id, attemptId, since })
    : undefined
  await ctx.transaction(async (tx) => {
    await lockContactsOfForShare(tx, [message_id])
    const [open] = await lockAttempts(tx, attempt)
    const [message] = await lockMessages(tx, [message_id])
    if (open === undefined || message === undefined) return
    if (report !== undefined) {
      endAttempts(tx, [message_id])
      endAttempt(tx, attemptId, 'taken', null, tx.clock.now())
      return reportStatus(tx, message, report)
    }
    // Mail servers recognize the repeat by its Message-ID. Providers of texts would deliver both.
    const mayRepeat = message.channel === 'EMAIL' && open.on_return !== 'cancel'
    if (mayRepeat && (await countUnclear(tx, message_id)) === 1)
      return retryAttempt(tx, message_id, tx.clock.now(), true)
    if (next !== undefined) return
    endAttempts(tx, [message_id])
    await tx.emit(MessageUnknown, eventOf(message))
  })
}

/** How long the last lookup may take before it is repeated. */
const lastLookMs = 60_000

/** What the provider knows about the attempt. Ignores what it knows about another message with the same text. */
async function findReport(
  ctx: Ctx,
  carriers: Carriers,
  { messageId, attemptId, since }: { messageId: string; attemptId: string; since: Date },
): Promise<StatusReport | undefined> {
  const [sought] = await listMessagesById(ctx.db, [messageId])
  const account = sought?.connection_id ? await openAccount(ctx, sought.connection_id) : undefined
  if (!sought?.from || !sought.to || account === undefined) return undefined
  const { from, to, body } = sought
  const report = await carriers[account.provider]?.find(account, { attemptId, from, to, body, since })
  if (!report?.providerMessageId) return report
  const holder = await findByProviderId(ctx.db, account.id, report.providerMessageId)
  return holder === undefined || holder === messageId ? report : undefined
}
