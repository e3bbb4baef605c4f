import type { Runtime } from '#kernel/context.ts'
import type { Directory, DirectoryDb } from '#kernel/db/handles.ts'
import { type Uncovered, findInstallation, holdingStatement } from './queries.ts'

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

/** Begins a hold, unless there is one: workers that start from now on let nothing leave until a person releases it. */
export const beginHold = async (directory: Directory, uncovered: Uncovered): Promise<void> => {
  if ((await findHold(directory)) === undefined) await directory.run(holdingStatement(uncovered))
}

const askEveryMs = 1000

/**
 * Starts the work of a worker when nothing is held: at once, or after the release. Disposing of the result ends the wait or
 * the work.
 */
export async function startWhenReleased(
  { database, clock, log }: Pick<Runtime, 'database' | 'clock' | 'log'>,
  start: () => Promise<AsyncDisposable>,
): Promise<AsyncDisposable> {
  if ((await findHold(database.directory)) === undefined) return start()
  log.warn('the database was restored: nothing leaves until "gable restored --release" or "--drop"')
  let stopped = false
  let endPause = () => {}
  async function wait(): Promise<AsyncDisposable | undefined> {
    while (!stopped) {
      await new Promise<void>((resolve) => {
        const cancel = clock.after(askEveryMs, resolve)
        endPause = () => {
          cancel()
          resolve()
        }
      })
      // The database may be away for a while.
      const isHeld = await findHold(database.directory).then(
        (hold) => hold !== undefined,
        () => true,
      )
      if (isHeld || stopped) continue
      try {
        return await start()
      } catch (error) {
        log.error({ err: error }, 'the worker did not start after the release; it tries again')
      }
    }
    return undefined
  }
  const working = wait()
  return {
    async [Symbol.asyncDispose]() {
      stopped = true
      endPause()
      await (await working)?.[Symbol.asyncDispose]()
    },
  }
}
