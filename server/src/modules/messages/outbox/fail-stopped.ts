import { later } from '#kernel/clock.ts'
import type { Ctx, Runtime } from '#kernel/context.ts'
import { periodicJob } from '#kernel/jobs/job.ts'
import {
  type Stop,
  listSendersOfConnection,
  listStoppedAcrossWorkspaces,
  stopOf,
} from '../../senders/public.ts'
import { MessageUnknown } from '../events.ts'
import { eventOf } from '../message-event.ts'
import { maxHoldMs } from '../message.ts'
import { lockMessages } from '../queries.ts'
import { lockContactsOfForShare } from '../queue/lock-contacts.ts'
import { listDueBefore, unqueueMessages } from '../queue/queries.ts'
import { reportStatus } from '../report-status.ts'
import { systemContext } from '../system-context.ts'
import { stoppedFailure } from '../waiting.ts'

/** Fails messages that have waited for a stopped connection as long as a message may wait. */
export const failStopped = periodicJob('fail-stopped-messages', {
  cron: '*/5 * * * *',
  handle: failAllStopped,
})

async function failAllStopped(runtime: Runtime): Promise<void> {
  const { directory } = runtime.database
  const before = later(runtime.clock.now(), -maxHoldMs)
  for (let after: string | undefined = ''; after !== undefined;) {
    const page = await listStoppedAcrossWorkspaces(directory, after)
    for (const { id, workspace_id, ...connection } of page) {
      const stop = stopOf(connection)
      if (stop !== null && new Date(stop.since) <= before)
        await failOfConnection(systemContext(runtime, workspace_id), id, stop, before)
    }
    after = page.at(-1)?.id
  }
}

async function failOfConnection(ctx: Ctx, id: string, stop: Stop, before: Date): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const senders = await listSendersOfConnection(ctx.db, id, after)
    for (const sender of senders)
      while ((await failSome(ctx, sender.id, stop, before)) === perTransaction) continue
    after = senders.at(-1)?.id
  }
}

const perTransaction = 100

/** Fails some of the messages that were due before this time. Returns how many were. */
async function failSome(ctx: Ctx, senderId: string, stop: Stop, before: Date): Promise<number> {
  const ids = await listDueBefore(ctx.db, senderId, before, perTransaction)
  if (ids.length === 0) return 0
  await ctx.transaction(async (tx) => {
    await lockContactsOfForShare(tx, ids)
    const failure = stoppedFailure(stop)
    for (const message of await lockMessages(tx, await unqueueMessages(tx, ids))) {
      // The repeat of an unclear email: the first attempt may have arrived.
      if (message.status === 'unknown') await tx.emit(MessageUnknown, eventOf(message))
      else
        await reportStatus(tx, message, {
          status: 'failed',
          providerMessageId: null,
          failure,
          at: tx.clock.now(),
        })
    }
  })
  return ids.length
}
