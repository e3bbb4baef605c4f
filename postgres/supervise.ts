import { setTimeout as delay } from 'node:timers/promises'
import { rotateLog } from './server-log.ts'
import type { Session } from './session.ts'

const stableMs = 5000
const maxFailures = 12
const maxPauseMs = 30_000
const logCheckMs = 60_000

export interface Supervision {
  /** Stops supervising. Returns the current session, or undefined if PostgreSQL is down. */
  stop(): Promise<Session | undefined>
}

export interface SupervisedServer {
  session: Session
  /** Restarts PostgreSQL at the same address. Returns the new session. */
  restart: (signal: AbortSignal) => Promise<Session>
  logFile: string
  log: (line: string) => void
}

/**
 * Restarts PostgreSQL when it crashes: at first immediately, then with growing delays. Gives up after 12 failures in
 * a row; a run of more than 5 s resets the count. Also rotates PostgreSQL's log.
 */
export function supervise({ session: first, restart, logFile, log }: SupervisedServer): Supervision {
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  let session: Session | undefined = first

  const logCheck = setInterval(
    () => rotateLog(logFile).catch((error) => log(`${logFile}: ${messageOf(error)}`)),
    logCheckMs,
  )
  logCheck.unref()

  async function watch(): Promise<void> {
    for (let failures = 0; failures < maxFailures; failures++) {
      if (session !== undefined) {
        session.client.unref()
        const since = performance.now()
        await Promise.race([session.ended, stopped])
        if (signal.aborted) return
        session = undefined
        log('The connection to PostgreSQL was lost; restarting it.')
        if (performance.now() - since > stableMs) failures = 0
      }
      await delay(pauseAfter(failures), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      session = await restart(signal).catch((error: unknown) => {
        if (!signal.aborted) log(`PostgreSQL could not be restarted: ${messageOf(error)}`)
        return undefined
      })
    }
    log(
      `PostgreSQL crashed ${maxFailures} times in a row and is not restarted. Fix the cause and restart Gable.`,
    )
  }

  const watching = watch()
  return {
    async stop() {
      clearInterval(logCheck)
      stopping.abort()
      await watching
      return session
    },
  }
}

/** Milliseconds. */
const pauseAfter = (failures: number) => (failures === 0 ? 0 : Math.min(100 * 2 ** failures, maxPauseMs))

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
