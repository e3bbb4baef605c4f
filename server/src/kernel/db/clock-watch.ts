import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { sharedNow } from './shared-now.ts'

/** Compares this machine's clock with PostgreSQL's, by which leases are stamped and which all processes share. */
export interface ClockWatch {
  /** How far this machine's clock is ahead of PostgreSQL's, in milliseconds; 0 until it is known. */
  aheadMs(): number
  /** Whether the clock is right enough to send by it. */
  isRight(): boolean
  /** Compares now, every minute, and whenever this machine's clock is set, until disposed. */
  start(): Promise<AsyncDisposable>
}

/** Beyond this, a process logs a warning. */
const warnMs = 2000

/** Beyond this, a process sends nothing and is not ready. */
export const wrongMs = 30_000

const everyMs = 60_000
const lookMs = 1000

/** A response that takes longer says too little about the time. */
const slowMs = 2000

const NowRow = Type.Object({ now: Type.String() })

export function clockWatch(
  { authenticator }: Pick<Database, 'authenticator'>,
  clock: Clock,
  log: Log,
): ClockWatch {
  /** The offset of the wall clock from the one that never jumps. It changes only if the wall clock is set. */
  const wall = () => clock.now().getTime() - clock.elapsed()
  let known: { aheadMs: number; wall: number; at: number } | undefined

  async function compare(): Promise<void> {
    const from = clock.elapsed()
    const { now } = await authenticator.one(NowRow)`select ${sharedNow(clock)} as now`
    const at = clock.elapsed()
    if (at - from > slowMs) return
    known = { aheadMs: wall() + (from + at) / 2 - Date.parse(now), wall: wall(), at }
    const seconds = Math.round(known.aheadMs / 100) / 10
    if (Math.abs(known.aheadMs) > wrongMs)
      log.error({ seconds }, 'the clock of this machine is wrong by PostgreSQL’s: nothing is sent')
    else if (Math.abs(known.aheadMs) > warnMs)
      log.warn({ seconds }, 'the clock of this machine differs from PostgreSQL’s')
  }

  /** After the clock was set, the difference is known at once, if PostgreSQL runs on another machine. */
  const aheadMs = () => (known === undefined ? 0 : known.aheadMs + wall() - known.wall)

  return {
    aheadMs,
    isRight: () => Math.abs(aheadMs()) <= wrongMs,
    async start() {
      // A clock that tests move is not compared.
      if (clock.shared !== undefined) return { [Symbol.asyncDispose]: async () => undefined }
      let over = false
      const tryToCompare = () => compare().catch(() => undefined)
      let cancel = () => {}
      const look = async () => {
        const wasSet = known === undefined || Math.abs(wall() - known.wall) > lookMs
        if (wasSet || clock.elapsed() - (known?.at ?? 0) >= everyMs) await tryToCompare()
        if (!over) cancel = clock.after(lookMs, next)
      }
      let running = tryToCompare()
      const next = () => void (running = look())
      await running
      cancel = clock.after(lookMs, next)
      return {
        async [Symbol.asyncDispose]() {
          over = true
          cancel()
          await running
        },
      }
    },
  }
}
