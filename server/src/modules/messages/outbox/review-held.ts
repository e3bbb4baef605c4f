import type { Ctx, Runtime } from '#kernel/context.ts'
import { type Provider, listConnectionIds, messageProviders, openAccount } from '../../senders/public.ts'
import { NotConnected, isConnected, sweepConnection } from '../inbound/sweep.ts'
import type { Message } from '../message.ts'
import type { Carriers, ProviderAccount, StatusReport } from '../ports.ts'
import { findByProviderId, listMessagesById, lockMessages } from '../queries.ts'
import { cancelUnsent } from '../queue/cancel-waiting.ts'
import { lockContactsOfForShare } from '../queue/lock-contacts.ts'
import { endAttempts, listQueuedBefore, lockQueued } from '../queue/queries.ts'
import { reportStatus } from '../report-status.ts'
import { systemContext } from '../system-context.ts'

/** The providers that can find a message that they took. */
const searchable = new Set<Provider>(['twilio'])

const perBatch = 100

interface Held {
  message: Message
  /** Not while an attempt is in flight or unclear. */
  isWaiting: boolean
}

/**
 * The messages of a workspace that were created before a time and may leave, some at a time: those that wait, and emails in an
 * unclear state, which are sent again once.
 */
async function* heldMessages(ctx: Ctx, before: Date): AsyncGenerator<Held[]> {
  for (let after = ''; ;) {
    const queued = await listQueuedBefore(ctx.db, before, after, perBatch)
    if (queued.length === 0) return
    const waiting = new Set(queued.flatMap(({ id, is_waiting }) => (is_waiting ? [id] : [])))
    const messages = await listMessagesById(
      ctx.db,
      queued.map(({ id }) => id),
    )
    yield messages
      .map((message) => ({ message, isWaiting: waiting.has(message.id) }))
      .filter(({ message, isWaiting }) => isWaiting || message.channel === 'EMAIL')
    after = queued.at(-1)?.id ?? after
  }
}

/**
 * Records what the connections of all workspaces have received since, such as a STOP. Returns the IDs of connections that
 * could not be read: nothing of theirs may leave yet.
 */
export async function sweepAllConnections(runtime: Runtime, carriers: Carriers): Promise<string[]> {
  const failed: string[] = []
  for (let after = ''; ;) {
    // Also mailboxes that pause after a failure.
    const ids = await listConnectionIds(runtime.database.directory, messageProviders, after)
    if (ids.length === 0) return failed
    for (const id of ids) {
      const isRead = await sweepConnection(runtime, carriers, id, { despitePause: true }).catch(
        (error: unknown) => {
          // Nothing has left through it, and nothing will.
          if (error instanceof NotConnected) return true
          runtime.log.warn({ err: error, connectionId: id }, 'a connection was not swept')
          return false
        },
      )
      if (!isRead) failed.push(id)
    }
    after = ids.at(-1) ?? after
  }
}

/**
 * Looks at the provider for each message that waits in a restored database, where the provider can find messages. One that it
 * took becomes sent, and so is not sent again; `unclear` counts those that could not be looked for. Call it after `sweepAllConnections`, which shows that the providers respond.
 */
export async function reviewHeldMessages(
  runtime: Runtime,
  carriers: Carriers,
  workspaceId: string,
  before: Date,
): Promise<{ sent: number; unclear: number }> {
  const ctx = systemContext(runtime, workspaceId)
  const accounts = new Map<string, ProviderAccount | undefined>()
  let sent = 0
  let unclear = 0
  for await (const held of heldMessages(ctx, before))
    for (const { message, isWaiting } of held) {
      const { connection_id: id } = message
      if (!isWaiting) continue
      if (id !== null && !accounts.has(id)) accounts.set(id, await openAccount(ctx, id))
      const account = id === null ? undefined : accounts.get(id)
      const report =
        account &&
        (await isConnected(account, runtime)) &&
        (await findTaken(ctx, carriers, account, message).catch((error: unknown) => {
          unclear++
          runtime.log.warn({ err: error, messageId: message.id }, 'a message was not looked for')
          return undefined
        }))
      if (report && (await recordTaken(ctx, message.id, report))) sent++
    }
  return { sent, unclear }
}

/** How many messages wait in a restored database. */
export async function countHeldMessages(ctx: Ctx, before: Date): Promise<number> {
  let count = 0
  for await (const held of heldMessages(ctx, before)) count += held.length
  return count
}

async function findTaken(
  ctx: Ctx,
  carriers: Carriers,
  account: ProviderAccount,
  { id, from, to, body, created_at }: Message,
): Promise<StatusReport | undefined> {
  if (!searchable.has(account.provider) || !from || !to) return undefined
  return carriers[account.provider]?.find(account, {
    attemptId: id,
    from,
    to,
    body,
    since: new Date(created_at),
    // It may have waited for hours, or for its turn.
    until: ctx.clock.now(),
    isTaken: async (providerMessageId) =>
      (await findByProviderId(ctx.db, account.id, providerMessageId)) !== undefined,
  })
}

const recordTaken = (ctx: Ctx, id: string, report: StatusReport): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    await lockContactsOfForShare(tx, [id])
    if ((await lockQueued(tx, id)) === undefined) return false
    const [message] = await lockMessages(tx, [id])
    if (message === undefined) return false
    endAttempts(tx, [id])
    await reportStatus(tx, message, report)
    return true
  })

/** Cancels the messages that wait in a restored database. An email in an unclear state is not sent again. */
export async function dropHeldMessages(ctx: Ctx, before: Date): Promise<void> {
  for await (const held of heldMessages(ctx, before)) {
    const ids = held.map(({ message }) => message.id)
    await ctx.transaction(async (tx) => {
      await lockContactsOfForShare(tx, ids)
      await cancelUnsent(tx, ids)
    })
  }
}
