import { later } from '#kernel/clock.ts'
import type { Runtime } from '#kernel/context.ts'
import { takeTurns } from '#kernel/http/turns.ts'
import { findSweptAt, listConnectionIds, openAccount, saveSweptAt } from '../../senders/public.ts'
import { systemContext } from '../outbox/system-context.ts'
import type { Carriers } from '../ports.ts'
import { listRecorded } from './queries.ts'
import { providerIdOf, receiveMessage } from './receive-message.ts'

/** How often each connection is swept, how soon again after a failure, and how long a sweep counts. */
const sweepEveryMs = 60_000
const retryMs = 5_000
const freshMs = 120_000

/** A provider may list a message a while after it has received it. */
const overlapMs = 120_000

/** Connections that are swept at once. */
const width = 8

/** Records what connections have received and no callback brought, such as a STOP while this server was down. */
export interface Sweeper {
  /** Sweeps all connections in the background, if a minute has passed since it last did. */
  sweepWhenDue(): void
  /** Whether this process has swept the connection of late. If it has not, it begins to. */
  isFresh(connectionId: string): boolean
  /** Begins no other sweep, and resolves when none is under way. */
  end(): Promise<void>
}

export function createSweeper(runtime: Runtime, carriers: Carriers): Sweeper {
  const { clock, log, database } = runtime
  const sweptAt = new Map<string, number>()
  const triedAt = new Map<string, number>()
  const running = new Map<string, Promise<void>>()
  const inTurn = takeTurns(width)
  let allAt = Number.NEGATIVE_INFINITY
  let all: Promise<void> = Promise.resolve()
  let isEnding = false

  const since = (times: ReadonlyMap<string, number>, id: string) =>
    clock.elapsed() - (times.get(id) ?? Number.NEGATIVE_INFINITY)

  function begin(id: string): void {
    if (running.has(id)) return
    triedAt.set(id, clock.elapsed())
    const sweeping = inTurn('', async () => {
      if (isEnding) return
      const begunAt = clock.elapsed()
      await sweepConnection(runtime, carriers, id)
      sweptAt.set(id, begunAt)
    })
      .catch((error: unknown) => log.warn({ err: error, connectionId: id }, 'a connection was not swept'))
      .finally(() => running.delete(id))
    running.set(id, sweeping)
  }

  async function sweepAll(): Promise<void> {
    let ids = await listConnectionIds(database.directory)
    while (ids.length > 0 && !isEnding) {
      ids.forEach(begin)
      await Promise.all(ids.map((id) => running.get(id)))
      ids = await listConnectionIds(database.directory, ids.at(-1))
    }
  }

  return {
    sweepWhenDue() {
      if (clock.elapsed() - allAt < sweepEveryMs) return
      allAt = clock.elapsed()
      all = sweepAll().catch((error: unknown) => log.warn({ err: error }, 'connections not swept'))
    },
    isFresh(id) {
      if (since(sweptAt, id) < freshMs) return true
      if (since(triedAt, id) >= retryMs) begin(id)
      return false
    },
    async end() {
      isEnding = true
      await all
      await Promise.all(running.values())
    },
  }
}

/** Records what the connection has received since it was last swept, oldest first. Throws where that cannot be known. */
export async function sweepConnection(runtime: Runtime, carriers: Carriers, id: string): Promise<void> {
  const { database, keys, clock } = runtime
  const { directory } = database
  const account = await openAccount({ directory, keys, clock }, id)
  const carrier = account && carriers[account.provider]
  if (account === undefined || carrier === undefined) return
  const begun = clock.now()
  const received = await carrier.listInbound(
    account,
    later(await findSweptAt(directory, account), -overlapMs),
  )
  const ctx = systemContext(runtime, account.workspaceId)
  const recorded = await listRecorded(ctx.db, id, received.map(providerIdOf))
  const missed = received
    .filter((one) => !recorded.has(providerIdOf(one)))
    .toSorted((a, b) => (a.receivedAt?.getTime() ?? 0) - (b.receivedAt?.getTime() ?? 0))
  for (const one of missed) await receiveMessage(ctx, account, one)
  await saveSweptAt(directory, account, begun)
}
