import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../errors.ts'

interface Patience {
  /** Ends the wait. */
  signal: AbortSignal
  /** Called when the database becomes unavailable, and when it is available again. */
  onAway: () => void
  onBack: () => void
}

export const pollMs = 500

/**
 * Makes a function that repeats a query for as long as the database is unavailable. It returns an empty list once the
 * signal is aborted.
 */
export function patiently({ signal, onAway, onBack }: Patience) {
  let away = false
  return async function ask<T>(query: () => Promise<T[]>): Promise<T[]> {
    while (!signal.aborted) {
      try {
        const rows = await query()
        if (away) onBack()
        away = false
        return rows
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
        if (!away) onAway()
        away = true
        await pause(pollMs, signal)
      }
    }
    return []
  }
}

/** Waits, unless the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)

/** The notices of a command that waits for the database. */
export const patienceNotices = (json: boolean): Pick<Patience, 'onAway' | 'onBack'> => {
  const notice = (code: string, message: string) => () =>
    void process.stderr.write(`${json ? JSON.stringify({ notice: { code, message } }) : message}\n`)
  return {
    onAway: notice('database_away', 'Cannot reach the database. Waiting for it.'),
    onBack: notice('database_back', 'The database is back.'),
  }
}
