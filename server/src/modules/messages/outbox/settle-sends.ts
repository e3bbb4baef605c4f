import { later } from '#kernel/clock.ts'
import type { Ctx, Runtime, Tx } from '#kernel/context.ts'
import { MessageCancelled } from '../events.ts'
import { learnFrom } from '../learn-from.ts'
import { eventOf } from '../message-event.ts'
import { type Message, messageRecord, maxHoldMs } from '../message.ts'
import type { SendOutcome } from '../ports.ts'
import { endAttempt, listMessagesById, lockMessages, saveMessage } from '../queries.ts'
import { lockContactsOfForShare } from '../queue/lock-contacts.ts'
import { clarifyLater, endAttempts, lockAttempts, retryAttempt } from '../queue/queries.ts'
import { lookupsMs, rejectedCredentialsMs, retryPause } from '../queue/schedule.ts'
import { reportStatus } from '../report-status.ts'
import { systemContext } from '../system-context.ts'

/** The outcome of an attempt. `givenBack`: it never left, and does not count. */
export interface SendResult {
  messageId: string
  attemptId: string
  outcome: SendOutcome | { kind: 'givenBack' }
}

/**
 * Records the outcomes of attempts of one workspace, in one transaction. Skips attempts that a callback or another
 * worker has settled in the meantime. What rejections reveal is recorded in separate transactions.
 */
export async function settleSends(
  runtime: Runtime,
  workspaceId: string,
  settled: readonly SendResult[],
): Promise<void> {
  const ctx = systemContext(runtime, workspaceId)
  await learnFromRejections(ctx, settled)
  await ctx.transaction(async (tx) => {
    await lockContactsOfForShare(
      tx,
      settled.map(({ messageId }) => messageId),
    )
    const open = await lockAttempts(tx, settled)
    const outcomes = new Map(settled.map(({ attemptId, outcome }) => [attemptId, outcome]))
    const messages = new Map(
      (
        await lockMessages(
          tx,
          open.map(({ message_id }) => message_id),
        )
      ).map((one) => [one.id, one]),
    )
    for (const { message_id, attempt_id, attempts, on_return } of open) {
      const [message, outcome] = [messages.get(message_id), outcomes.get(attempt_id)]
      if (message === undefined || outcome === undefined) continue
      const isUnwanted = on_return === 'cancel'
      await settle(tx, message, { attemptId: attempt_id, attempts, isUnwanted, outcome })
    }
  })
}

/**
 * Records what rejections reveal about persons and senders before their messages become `failed`, so that a reader of
 * the failure already finds the opt-out. Each one gets its own transaction: a person's locks are never taken after
 * those of a message.
 */
async function learnFromRejections(ctx: Ctx, settled: readonly SendResult[]): Promise<void> {
  const codes = new Map(
    settled.flatMap(({ messageId, outcome }) =>
      outcome.kind === 'rejected' ? [[messageId, outcome.failure.code] as const] : [],
    ),
  )
  if (codes.size === 0) return
  for (const message of await listMessagesById(ctx.db, [...codes.keys()]))
    await ctx.transaction((tx) => learnFrom(tx, message, codes.get(message.id) ?? ''))
}

async function settle(
  tx: Tx,
  message: Message,
  {
    attemptId,
    attempts,
    isUnwanted,
    outcome,
  }: Omit<SendResult, 'messageId'> & { attempts: number; isUnwanted: boolean },
): Promise<void> {
  const at = tx.clock.now()
  const detail = message.erased_at === null ? detailOf(outcome) : null
  endAttempt(tx, attemptId, outcome.kind === 'givenBack' ? 'later' : outcome.kind, detail, at)
  if (message.erased_at !== null && (outcome.kind === 'givenBack' || outcome.kind === 'later')) {
    endAttempts(tx, [message.id])
    return move(tx, message, { status: 'cancelled' })
  }
  if (isUnwanted && (outcome.kind === 'givenBack' || outcome.kind === 'later')) {
    endAttempts(tx, [message.id])
    move(tx, message, { status: 'cancelled' })
    return void (await tx.emit(MessageCancelled, eventOf({ ...message, status: 'cancelled' })))
  }
  switch (outcome.kind) {
    case 'givenBack':
      retryAttempt(tx, message.id, at, false)
      return move(tx, message, { status: 'queued' })
    case 'taken':
      endAttempts(tx, [message.id])
      return reportStatus(tx, message, {
        status: 'sent',
        providerMessageId: outcome.providerMessageId,
        failure: null,
        at,
      })
    case 'unknown':
      clarifyLater(tx, message.id, later(tx.clock.real.now(), lookupsMs[0] ?? 0))
      return move(tx, message, { status: 'unknown' })
    case 'later': {
      const isDenied = outcome.failure.code === 'credentials_rejected'
      if (isDenied && at.getTime() - Date.parse(message.created_at) < maxHoldMs) {
        retryAttempt(tx, message.id, later(at, outcome.retryAfterMs ?? rejectedCredentialsMs), false)
        return move(tx, message, { status: 'queued' })
      }
      const pause = outcome.retryAfterMs ?? retryPause(attempts)
      if (!isDenied && retryPause(attempts) !== undefined && pause !== undefined) {
        retryAttempt(tx, message.id, later(at, pause), true)
        return move(tx, message, { status: 'queued' })
      }
      endAttempts(tx, [message.id])
      return reportStatus(tx, message, {
        status: 'failed',
        providerMessageId: null,
        failure: outcome.failure,
        at,
      })
    }
    case 'rejected':
      endAttempts(tx, [message.id])
      return reportStatus(tx, message, {
        status: 'failed',
        providerMessageId: null,
        failure: outcome.failure,
        at,
      })
  }
}

/** What the provider said, without the content of the message. */
function detailOf(outcome: SendResult['outcome']): object | null {
  if ('failure' in outcome) return outcome.failure
  return 'message' in outcome ? { message: outcome.message } : null
}

/** Changes the status without an event: back to `queued`, to `unknown`, or to `cancelled` if the message was erased. */
function move(tx: Tx, message: Message, changes: Pick<Message, 'status'>): void {
  const patched = messageRecord.applyPatch(message, changes, tx.clock.now())
  if (patched !== undefined) saveMessage(tx, message.id, patched.changed)
}
