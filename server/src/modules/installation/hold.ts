import type { Runtime } from '#kernel/context.ts'
import type { Directory, DirectoryDb } from '#kernel/db/handles.ts'
import { type Uncovered, findInstallation, startHold, recordRestored } from './queries.ts'

/** A hold: the database was restored, so what waits in it may have left already. */
export interface RestoreHold {
  since: string
  uncovered: Uncovered
}

/** Undefined if nothing is held. */
export async function findHold(directory: DirectoryDb): Promise<RestoreHold | undefined> {
  const found = await findInstallation(directory)
  if (found === undefined || found.held_since === null) return undefined
  const { held_since: since, uncovered_from: from, uncovered_to: to } = found
  return { since, uncovered: { from, to: to ?? since } }
}

/**
 * Begins a hold, unless there is one as late: workers let nothing leave until a person releases it. In one transaction: a database that
 * counts as restored but is not held would send again what has left.
 */
export const beginHold = (directory: Directory, uncovered: Uncovered): Promise<void> =>
  directory.transaction(async (tx) => {
    if (await startHold(tx, uncovered)) recordRestored(tx, uncovered.to)
  })

const lookEveryMs = 2000
const suspectMs = 250

/** Within this time, each worker that reaches the database has noticed a hold. */
export const noticedMs = 2 * lookEveryMs

export interface HoldWatch extends AsyncDisposable {
  /** Whether nothing may leave. True while no one knows, as after a connection was lost. */
  isHeld(): boolean
}

/**
 * Watches whether the database is held, until disposed. Begins a hold if `isOlder` says that the database is older than what
 * this server has done: at start, and whenever it has connected again, because a database may be replaced while servers run.
 */
export async function watchHold(
  { database, clock, log }: Pick<Runtime, 'database' | 'clock' | 'log'>,
  isOlder: () => Promise<boolean>,
): Promise<HoldWatch> {
  let isHeld = true
  /** Whether there has been a new connection since the last comparison, or one was lost during the current look. */
  let isSuspect = true
  let isLost = false
  let wasFound = false
  let isOver = false
  let cancel = () => {}
  let running: Promise<void> | undefined

  async function look(): Promise<void> {
    const compares = isSuspect
    isSuspect = isLost = false
    try {
      if (compares && (await isOlder()))
        await beginHold(database.directory, { from: null, to: clock.now().toISOString() })
      const found = (await findHold(database.directory)) !== undefined
      if (found && !wasFound)
        log.warn('the database was restored: nothing leaves until "gable restored --release" or "--drop"')
      wasFound = found
      if (!isLost) isHeld = found
    } catch {
      // The database may be away for a while. What was known stays.
      isSuspect ||= compares
    }
  }

  function lookNow(): void {
    cancel()
    running ??= look().finally(() => {
      running = undefined
      if (!isOver) cancel = clock.after(isSuspect ? suspectMs : lookEveryMs, lookNow)
    })
  }

  const unsubscribe = database.onConnection((change) => {
    isSuspect = true
    if (change === 'lost') isLost = isHeld = true
    lookNow()
  })
  lookNow()
  await running
  return {
    isHeld: () => isHeld,
    async [Symbol.asyncDispose]() {
      isOver = true
      unsubscribe()
      cancel()
      await running
      cancel()
    },
  }
}
