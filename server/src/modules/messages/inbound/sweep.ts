import type { Looked } from '#kernel/background/poll-loop.ts'
import { later } from '#kernel/clock.ts'
import { type Runtime, simulatesIn } from '#kernel/context.ts'
import { takeTurns } from '#kernel/http/turns.ts'
import { findRestoredAt } from '../../installation/public.ts'
import {
  type Provider,
  findSweptAt,
  listConnectionIds,
  openAccount,
  messageProviders,
  saveStopped,
  saveSweptAt,
} from '../../senders/public.ts'
import type { Carriers, ProviderAccount } from '../ports.ts'
import { systemContext } from '../system-context.ts'
import { listRecorded } from './queries.ts'
import { type SweepOptions, readMailbox } from './read-mailbox.ts'
import { providerIdOf, receiveIn } from './receive-message.ts'
import { asReceived } from './received-late.ts'

/**
 * How often each connection is swept, how soon a sweep is retried after a failure, and how long it stays fresh.
 * Mailboxes are swept more often, because no callback announces new mail.
 */
const sweepEveryMs = 60_000
const mailboxEveryMs = 10_000
const retryMs = 5_000
const freshMs = 120_000

/** A provider may not list a message until some time after it received it. */
const overlapMs = 120_000

/** How many connections are swept at once. */
const width = 8

/** Records messages that connections received but no callback delivered, such as a STOP while this server was down. */
export interface Sweeper {
  /** Starts due sweeps in the background: of mailboxes every ten seconds, of all other connections every minute. */
  look(): Looked
  /** Whether this process has swept the connection recently. If not, starts a sweep. */
  isFresh(connectionId: string): boolean
  /** Starts no further sweep, and resolves when none is running. */
  end(): Promise<void>
}

export function createSweeper(runtime: Runtime, carriers: Carriers): Sweeper {
  const { clock, log, database } = runtime
  const sweptAt = new Map<string, number>()
  const triedAt = new Map<string, number>()
  const running = new Map<string, Promise<void>>()
  const inTurn = takeTurns(width)
  const rounds = [
    { of: messageProviders.filter((one) => one !== 'email'), everyMs: sweepEveryMs },
    { of: ['email' as const], everyMs: mailboxEveryMs },
  ].map((round) => ({ ...round, at: Number.NEGATIVE_INFINITY, done: Promise.resolve() }))
  let isEnding = false

  const since = (times: ReadonlyMap<string, number>, id: string) =>
    clock.elapsed() - (times.get(id) ?? Number.NEGATIVE_INFINITY)

  const isRecent = (id: string) => since(sweptAt, id) < freshMs

  function begin(id: string): void {
    if (running.has(id)) return
    triedAt.set(id, clock.elapsed())
    const sweeping = inTurn('', async () => {
      if (isEnding) return
      const begunAt = clock.elapsed()
      if (await sweepConnection(runtime, carriers, id, { isEnding: () => isEnding })) sweptAt.set(id, begunAt)
    })
      .catch(async (error: unknown) => {
        if (!(error instanceof NotConnected))
          log.warn({ err: error, connectionId: id }, 'a connection was not swept')
        if (!isRecent(id)) await recordStop(runtime, id, error)
      })
      .catch((error: unknown) => log.warn({ err: error, connectionId: id }, 'a stop was not recorded'))
      .finally(() => running.delete(id))
    running.set(id, sweeping)
  }

  async function sweepAll(of: readonly Provider[]): Promise<void> {
    let ids = await listConnectionIds(database.directory, of, '', clock)
    while (ids.length > 0 && !isEnding) {
      ids.forEach(begin)
      await Promise.all(ids.map((id) => running.get(id)))
      ids = await listConnectionIds(database.directory, of, ids.at(-1), clock)
    }
  }

  return {
    look() {
      for (const round of rounds) {
        if (clock.elapsed() - round.at < round.everyMs) continue
        round.at = clock.elapsed()
        round.done = sweepAll(round.of).catch((error: unknown) =>
          log.warn({ err: error }, 'connections not swept'),
        )
      }
      const next = Math.min(...rounds.map(({ at, everyMs }) => at + everyMs))
      return { found: false, dueAt: later(clock.now(), next - clock.elapsed()) }
    },
    isFresh(id) {
      if (isRecent(id)) return true
      if (since(triedAt, id) >= retryMs) begin(id)
      return false
    },
    async end() {
      isEnding = true
      await Promise.all(rounds.map(({ done }) => done))
      await Promise.all(running.values())
    },
  }
}

/** Records with the connection why nothing is sent through it. */
async function recordStop(runtime: Runtime, id: string, error: unknown): Promise<void> {
  const { clock } = runtime
  const { directory } = runtime.database
  const account = await openAccount({ ...runtime, directory }, id)
  if (account === undefined) return
  await saveStopped(directory, account, { ...reasonOf(error), since: clock.now().toISOString() })
}

/** A simulated connection where the simulated carrier is not in effect: nothing leaves or arrives through it. */
export class NotConnected extends Error {
  override readonly message = 'The connection is simulated, and the simulated carrier is not in effect.'
}

export async function isConnected(
  { simulated, workspaceId }: ProviderAccount,
  runtime: Runtime,
): Promise<boolean> {
  if (!simulated || runtime.simulatesProviders) return true
  await runtime.testClocks.read(runtime.database.directory, workspaceId)
  return simulatesIn(runtime, workspaceId)
}

function reasonOf(error: unknown) {
  if (error instanceof NotConnected) return { code: 'not_connected' as const, message: error.message }
  const { status } = Object(error) as { status?: number | null }
  const isDenied = status === 401 || status === 403
  const code = isDenied ? ('credentials_rejected' as const) : ('provider_unavailable' as const)
  return { code, message: error instanceof Error ? error.message.slice(0, 500) : 'defect' }
}

/**
 * Records what the connection has received since its last sweep, oldest first; see `asReceived` for what it received before a
 * restore. Returns whether that is all of it: only
 * one of the workers that share a mailbox reads it. Throws if the provider or the mailbox cannot be read, and `NotConnected`.
 */
export async function sweepConnection(
  runtime: Runtime,
  carriers: Carriers,
  id: string,
  options: SweepOptions = {},
): Promise<boolean> {
  const { database, keys, clock } = runtime
  const { directory } = database
  const account = await openAccount({ directory, keys, clock }, id)
  const carrier = account && carriers[account.provider]
  if (account === undefined || carrier === undefined) return true
  if (!(await isConnected(account, runtime))) throw new NotConnected()
  const ctx = systemContext(runtime, account.workspaceId)
  if (carrier.readMailbox !== undefined) return readMailbox(ctx, carrier.readMailbox, account, options)
  const begun = clock.now()
  const received = await carrier.listInbound(
    account,
    later(await findSweptAt(directory, account), -overlapMs),
  )
  const recorded = await listRecorded(ctx.db, id, received.map(providerIdOf))
  const missed = received
    .filter((one) => !recorded.has(providerIdOf(one)))
    .toSorted((a, b) => (a.receivedAt?.getTime() ?? 0) - (b.receivedAt?.getTime() ?? 0))
  const restoredAt = missed.length === 0 ? undefined : await findRestoredAt(directory)
  for (const one of missed)
    await ctx.transaction((tx) => receiveIn(asReceived(tx, one.receivedAt, restoredAt), account, one))
  await saveSweptAt(directory, account, begun)
  return true
}
