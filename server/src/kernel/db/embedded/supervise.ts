import { setTimeout as delay } from 'node:timers/promises'
import { rotateLog } from './server-log.ts'
import type { Session } from './session.ts'

const steadyMs = 5000
const mostFailures = 12
const longestPauseMs = 30_000
const logCheckMs = 60_000

export interface Supervision {
  /** Ends it and hands over the session that it leaves, if PostgreSQL was there. */
  stop(): Promise<Session | undefined>
}

export interface SupervisedServer {
  session: Session
  /** Brings PostgreSQL back, at the same address, and the session with it. */
  restart: (signal: AbortSignal) => Promise<Session>
  logFile: string
  log: (line: string) => void
}

/**
 * Restarts PostgreSQL when it dies under us: at once, then ever more slowly, and no more after a dozen failures in a
 * row; one that stayed up for 5 s ends the row. Keeps its log short meanwhile.
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
    for (let failures = 0; failures < mostFailures; failures++) {
      if (session !== undefined) {
        session.client.unref()
        const since = performance.now()
        await Promise.race([session.ended, stopped])
        if (signal.aborted) return
        session = undefined
        log('The connection to PostgreSQL was lost; it is started again.')
        if (performance.now() - since > steadyMs) failures = 0
      }
      await delay(pauseAfter(failures), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      session = await restart(signal).catch((error: unknown) => {
        if (!signal.aborted) log(`PostgreSQL could not be started again: ${messageOf(error)}`)
        return undefined
      })
    }
    log(
      `PostgreSQL ended ${mostFailures} times in a row and is not started again. Restart Gable when the cause is gone.`,
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
const pauseAfter = (failures: number) => (failures === 0 ? 0 : Math.min(100 * 2 ** failures, longestPauseMs))

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
