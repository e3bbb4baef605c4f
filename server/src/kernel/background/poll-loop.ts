import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { QueueListener } from './listening.ts'

/** What a look has found. */
export interface Looked {
  /** Whether it did anything. If so, there may be more. */
  found: boolean
  /** When the next thing that it knows of is due. */
  dueAt?: Date | string | null | undefined
}

export interface PollOptions {
  /** What to log when a look throws. */
  complaint: string
  /** Undefined for work that is due by time alone. */
  listening?: QueueListener
  /** The pause after a look that found nothing, or threw, while the worker is not idle. */
  pollMs?: number
  /** The pause after a look that found something. */
  busyMs?: number
  /** After this many looks in a row that found nothing, the worker is idle. */
  eagerLooks?: number
}

export interface PollLoop extends AsyncDisposable {
  wake(): void
}

/** How long a loop without a queue rests at most. */
const unwokenMs = 30_000

/** How soon an idle worker looks again if something is due that it could not do: another worker has it, or its pace is used up. */
const blockedMs = 1000

/** The earliest of these times. */
export const earliest = (times: readonly (Date | undefined)[]): Date | undefined =>
  times.filter((at) => at !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0]

/**
 * How long an idle worker rests, of at most `mostMs`: until something is due. `lookedAt`: when its look began.
 */
export function restFor(clock: Clock, mostMs: number, lookedAt: Date, dueAt: Looked['dueAt']): number {
  if (dueAt === undefined || dueAt === null) return mostMs
  const due = new Date(dueAt).getTime()
  const pauseMs = due <= lookedAt.getTime() ? blockedMs : Math.max(1, due - clock.now().getTime())
  return Math.min(mostMs, pauseMs)
}

/**
 * Looks for work until disposed, and waits for the last look then. While looks find something, they follow each other
 * with `busyMs` between them. An idle loop rests until a writer wakes it or something is due, and looks from time to
 * time in case it was not woken. While `mayBegin` returns false, it does not look.
 */
export function pollLoop(
  { clock, mayBegin, log }: { clock: Clock; mayBegin: () => boolean; log: Log },
  { complaint, listening, pollMs = 50, busyMs = pollMs, eagerLooks = 20 }: PollOptions,
  look: (isStopping: () => boolean) => Promise<Looked>,
): PollLoop {
  let stopped = false
  /** Whether something was written since the last look began. */
  let isWoken = false
  let endPause = () => {}
  const wake = () => {
    isWoken = true
    endPause()
  }
  listening?.onWake(wake)
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(ms, resolve)
      endPause = () => {
        cancel()
        resolve()
      }
    })
  const running = run()

  async function run(): Promise<void> {
    for (let empty = 0; !stopped;) {
      isWoken = false
      let pauseMs = pollMs
      if (!mayBegin()) {
        await pause(blockedMs)
        continue
      }
      try {
        const isIdle = empty >= eagerLooks
        const mostMs = isIdle ? await (listening?.becomeIdle() ?? unwokenMs) : 0
        const lookedAt = clock.now()
        const { found, dueAt } = await look(() => stopped)
        if (found && isIdle) await listening?.becomeBusy()
        empty = found ? 0 : empty + 1
        // An idle loop looks twice before it rests, to find rows that were locked the first time.
        if (found) pauseMs = busyMs
        else if (mostMs > 0 && empty > eagerLooks) pauseMs = restFor(clock, mostMs, lookedAt, dueAt)
      } catch (error) {
        log.warn({ err: error }, complaint)
      }
      if (!isWoken && !stopped && pauseMs > 0) await pause(pauseMs)
    }
  }

  return {
    wake,
    async [Symbol.asyncDispose]() {
      stopped = true
      endPause()
      await running
    },
  }
}
