import { later } from '#kernel/clock.ts'
import type { Ctx, Runtime } from '#kernel/context.ts'
import { takeTurns } from '#kernel/http/turns.ts'
import { type ProviderAccount, openAccount } from '../../senders/public.ts'
import { systemContext } from '../outbox/system-context.ts'
import type { Carriers } from '../ports.ts'
import {
  endRemovals,
  listDueRemovalsAcrossWorkspaces,
  lockDueRemovals,
  postponeRemovals,
} from './removal-queries.ts'

const minuteMs = 60_000

/** Pauses after an attempt that failed; the last one is repeated. */
const pausesMs = [1, 5, 30, 120, 720].map((minutes) => minutes * minuteMs)

/** How long a removal is tried. */
const givenUpAfterMs = 14 * 24 * 60 * minuteMs

/** Removals of a workspace in one run, of these at once, and how long a run begins further ones. */
const perRun = 1000
const atOnce = 8
const runMs = 40_000

interface Removals {
  removed: number
  /** Tried again later. */
  failed: number
  givenUp: number
}

/** Removes what erased messages said from the records of their providers, as far as they have a call for it. */
export async function removeFromProviders(runtime: Runtime, carriers: Carriers): Promise<void> {
  await using queue = runtime.database.across('gable_sender')
  const until = runtime.clock.elapsed() + runMs
  for (const workspaceId of await listDueRemovalsAcrossWorkspaces(queue, runtime.clock.now())) {
    const counts = await removeOf(systemContext(runtime, workspaceId), carriers, until)
    if (counts.removed + counts.failed + counts.givenUp > 0)
      runtime.log.info({ workspaceId, ...counts }, 'erased messages removed at their providers')
  }
}

async function removeOf(ctx: Ctx, carriers: Carriers, until: number): Promise<Removals> {
  const at = ctx.clock.now()
  // The attempt is counted before it is made: a process that ends meanwhile leaves it to be made again.
  const due = await ctx.transaction(async (tx) => {
    const rows = await lockDueRemovals(tx, at, perRun)
    const next = rows.map(({ message_id, attempts }) => ({
      messageId: message_id,
      dueAt: later(at, pausesMs[attempts] ?? pausesMs.at(-1) ?? minuteMs),
    }))
    if (next.length > 0) postponeRemovals(tx, next)
    return rows
  })
  const accounts = new Map<string, ProviderAccount | undefined>()
  for (const id of new Set(due.map(({ connection_id }) => connection_id)))
    accounts.set(id, await openAccount(ctx, id).catch(() => undefined))
  const inTurn = takeTurns(atOnce)
  const results = await Promise.all(
    due.map(({ message_id, connection_id, provider_message_id, created_at }) =>
      inTurn('', async () => {
        if (ctx.clock.elapsed() > until) return { id: message_id, isRemoved: false, isOver: false }
        const isRemoved = await isGone(carriers, accounts.get(connection_id), provider_message_id)
        const isOver = at.getTime() - Date.parse(created_at) > givenUpAfterMs
        if (!isRemoved && isOver)
          ctx.log.error(
            { messageId: message_id, connectionId: connection_id },
            'an erased message was not removed at its provider; it is not tried again',
          )
        return { id: message_id, isRemoved, isOver }
      }),
    ),
  )
  const ended = results.filter(({ isRemoved, isOver }) => isRemoved || isOver)
  if (ended.length > 0)
    await ctx.transaction(async (tx) =>
      endRemovals(
        tx,
        ended.map(({ id }) => id),
      ),
    )
  const removed = results.filter(({ isRemoved }) => isRemoved).length
  return { removed, failed: results.length - ended.length, givenUp: ended.length - removed }
}

/** Whether nothing is left of the message at its provider that could be removed. */
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
