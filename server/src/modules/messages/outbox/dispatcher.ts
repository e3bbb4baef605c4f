import { setTimeout as sleep } from 'node:timers/promises'
import type { Runtime } from '#kernel/context.ts'
import { isTemporary } from '#kernel/db/errors.ts'
import type { Queries } from '#kernel/db/handles.ts'
import { takeTurns } from '#kernel/http/turns.ts'
import { listSendersById, recordCredentials, openAccount } from '../../senders/public.ts'
import type { Carriers, LastSent, ProviderAccount, SendOutcome } from '../ports.ts'
import { listDueSendersAcrossWorkspaces, listUnclearAcrossWorkspaces } from '../queue/queries.ts'
import { handOverMs, ownedMs, rejectedCredentialsMs } from '../queue/schedule.ts'
import { systemContext } from '../system-context.ts'
import { type Begun, beginSends } from './begin-sends.ts'
import { clarify } from './clarify.ts'
import { type SendResult, settleSends } from './settle-sends.ts'

/** Limits: messages begun per sender at once, messages in flight in total, and messages in flight per connection. */
const perSender = 100
const maxInFlight = 512
const perConnection = 256
/** How many senders begin messages at once. Each uses one database connection. */
const begunAtOnce = 4
/** How long outcomes are collected before they are written together. */
const gatherMs = 10
/** The pause before an outcome that could not be written is written again. */
const rewriteMs = 250
const unclearPerLook = 100
const unclearEveryMs = 1000
const clarifiedAtOnce = 4

interface Outcome {
  result: SendResult
  /** Until when it is written again if that fails, by `performance.now()`. */
  writeUntil: number
}

export interface Dispatcher {
  /**
   * Begins the due messages of all workspaces whose connections may send, and hands them to the carriers. Returns how
   * many messages it began.
   */
  look(): Promise<number>
  /** Resolves when nothing is in flight and all outcomes are written, as far as possible. */
  settled(): Promise<void>
  /** The same as `settled`, but also stops looking for unclear messages. */
  end(): Promise<void>
}

/**
 * `queue`: a database connection that sees the due rows of all workspaces. `mayBegin`: whether a connection to a
 * provider may send. `onBegun`: called before the messages of an attempt are handed over.
 */
export function createDispatcher(
  runtime: Runtime,
  carriers: Carriers,
  queue: Queries,
  mayBegin: (connectionId: string) => boolean,
  onBegun: LastSent['save'] = async () => undefined,
): Dispatcher {
  const { clock, log } = runtime
  const inFlight = new Set<Promise<void>>()
  const gathered = new Map<string, Outcome[]>()
  const connections = new Map<string, string>()
  const probes = new Map<string, number>()
  let settling: Promise<void> | undefined
  /** Slots in use by connection: messages in flight, and messages that are about to begin. */
  const occupied = new Map<string, number>()
  const beginInTurn = takeTurns(begunAtOnce)
  let clarifying: Promise<void> | undefined
  let isEnding = false
  let unclearAt = 0

  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message)

  /** Writes an outcome with the next batch. If it cannot be written in time, the attempt becomes unclear once it counts as lost. */
  function settle(workspaceId: string, outcome: Outcome): Promise<void> {
    gathered.set(workspaceId, [...(gathered.get(workspaceId) ?? []), outcome])
    settling ??= sleep(gatherMs).then(writeGathered)
    return settling
  }

  async function writeGathered(): Promise<void> {
    settling = undefined
    const batches = [...gathered]
    gathered.clear()
    await Promise.all(batches.map(([id, batch]) => write(id, batch)))
  }

  /**
   * Writes a batch of outcomes. If that fails, writes each on its own, so that a bad outcome or a locked row does not hold up the
   * others, and tries again as long as the attempt is this worker's: what left must not become unclear because of a lock.
   */
  async function write(workspaceId: string, batch: readonly Outcome[]): Promise<void> {
    try {
      const results = batch.map(({ result }) => result)
      await settleSends(runtime, workspaceId, results)
    } catch (error) {
      const [only, ...others] = batch
      if (only === undefined) return
      if (others.length > 0) return void (await Promise.all(batch.map((one) => write(workspaceId, [one]))))
      if (!isTemporary(error) || performance.now() >= only.writeUntil)
        return warn('the outcome of a message was not written')(error)
      await sleep(rewriteMs)
      await write(workspaceId, [only])
    }
  }

  async function handOver(account: ProviderAccount | undefined, { cleared, begunAt }: Begun) {
    const carrier = account && carriers[account.provider]
    if (carrier === undefined || account === undefined) return notConnected
    // Too late, or nothing may leave anymore.
    if (clock.elapsed() - begunAt > handOverMs || !runtime.mayBegin()) return { kind: 'givenBack' as const }
    return carrier.send(account, cleared)
  }

  /** Cached, because a sender never changes its connection. */
  async function connectionOf(workspaceId: string, senderId: string): Promise<string> {
    const known = connections.get(senderId)
    if (known !== undefined) return known
    const [sender] = await listSendersById(systemContext(runtime, workspaceId).db, [senderId])
    if (sender !== undefined) connections.set(senderId, sender.connection_id)
    return sender?.connection_id ?? ''
  }

  async function sendDueOf(workspaceId: string, senderId: string): Promise<number> {
    const connectionId = await connectionOf(workspaceId, senderId)
    if (!mayBegin(connectionId)) return 0
    // Before anything begins: if the account cannot be opened now, the messages wait.
    const account = await openAccount(systemContext(runtime, workspaceId), connectionId)
    if (account?.isRejected === true && !isProbeDue(connectionId)) return 0
    const places = reserve(connectionId, account?.isRejected === true ? 1 : perSender)
    try {
      const begun = places === 0 ? [] : await beginSends(runtime, { workspaceId, senderId }, places)
      const last = begun.at(-1)
      if (last !== undefined)
        await onBegun({ workspaceId, attemptId: last.attemptId }).catch(
          warn('the last attempt was not saved beside the data'),
        )
      for (const one of begun) send(workspaceId, account, one, connectionId)
      return begun.length
    } finally {
      occupied.set(connectionId, (occupied.get(connectionId) ?? 0) - places)
    }
  }

  /** While a connection's credentials are rejected, Gable tries one message every few minutes. */
  function isProbeDue(connectionId: string): boolean {
    if (clock.elapsed() - (probes.get(connectionId) ?? -Infinity) < rejectedCredentialsMs) return false
    probes.set(connectionId, clock.elapsed())
    return true
  }

  /**
   * Reserves slots for messages of a connection. The limit per connection leaves slots for the others if one connection
   * hangs.
   */
  function reserve(connectionId: string, most: number): number {
    const taken = occupied.get(connectionId) ?? 0
    const all = [...occupied.values()].reduce((sum, count) => sum + count, 0)
    const places = Math.max(0, Math.min(most, perConnection - taken, maxInFlight - all))
    occupied.set(connectionId, taken + places)
    return places
  }

  function send(
    workspaceId: string,
    account: ProviderAccount | undefined,
    begun: Begun,
    connectionId: string,
  ): void {
    occupied.set(connectionId, (occupied.get(connectionId) ?? 0) + 1)
    const sending = attempt(workspaceId, account, begun)
      .catch(warn('a carrier failed'))
      .finally(() => {
        inFlight.delete(sending)
        const left = (occupied.get(connectionId) ?? 0) - 1
        if (left > 0) occupied.set(connectionId, left)
        else occupied.delete(connectionId)
      })
    inFlight.add(sending)
  }

  async function attempt(
    workspaceId: string,
    account: ProviderAccount | undefined,
    begun: Begun,
  ): Promise<void> {
    const { attemptId, message, begunAt } = begun
    const writeUntil = performance.now() + ownedMs - (clock.elapsed() - begunAt)
    const outcome = await handOver(account, begun)
    await settle(workspaceId, { result: { messageId: message.id, attemptId, outcome }, writeUntil })
    const rejects = outcome.kind === 'later' && outcome.failure.code === 'credentials_rejected'
    if (account !== undefined && (rejects || outcome.kind === 'taken'))
      await recordCredentials(systemContext(runtime, workspaceId), account, rejects)
  }

  /** Runs beside sending: a provider that does not respond to a lookup holds up nothing else. */
  function clarifyWhenDue(): void {
    if (clarifying !== undefined || clock.elapsed() < unclearAt) return
    unclearAt = clock.elapsed() + unclearEveryMs
    clarifying = clarifyAll()
      .catch(warn('unclear messages not looked for'))
      .finally(() => void (clarifying = undefined))
  }

  async function clarifyAll(): Promise<void> {
    const rows = await listUnclearAcrossWorkspaces(queue, clock, unclearPerLook)
    const clarifyInTurn = takeTurns(clarifiedAtOnce)
    await Promise.all(
      rows.map((row) =>
        clarifyInTurn('', async () => {
          if (!isEnding) await clarify(runtime, carriers, row)
        }).catch(warn('an unclear message was not looked for')),
      ),
    )
  }

  return {
    async look() {
      const due = await listDueSendersAcrossWorkspaces(queue, clock.now())
      const counts = await Promise.all(
        due.map(({ workspace_id, sender_id }) =>
          beginInTurn('', () => sendDueOf(workspace_id, sender_id)).catch((error: unknown) => {
            warn('messages of a sender not begun')(error)
            return 0
          }),
        ),
      )
      clarifyWhenDue()
      return counts.reduce((sum, count) => sum + count, 0)
    },
    async settled() {
      await Promise.all([...inFlight, clarifying])
    },
    async end() {
      isEnding = true
      await Promise.all([...inFlight, clarifying])
    },
  }
}

const notConnected: SendOutcome = {
  kind: 'rejected',
  failure: {
    code: 'rejected',
    carrierCode: null,
    message: "The sender's account with its provider cannot be used.",
  },
}
