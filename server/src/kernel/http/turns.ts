import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Unavailable } from '../errors.ts'

/** Runs a caller's work when its turn comes. */
export type Turns = <T>(caller: string, work: () => Promise<T>) => Promise<T>

/** Runs at most `limit` pieces of one caller's work at once. The rest wait: first come, first served. */
export function takeTurns(limit: number): Turns {
  const callers = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (caller, work) => {
    const state = callers.get(caller) ?? { running: 0, waiting: [] }
    callers.set(caller, state)
    if (state.running === limit) await new Promise<void>((resolve) => state.waiting.push(resolve))
    else state.running += 1
    try {
      return await work()
    } finally {
      // Hand the turn to the next in line, or end it.
      const next = state.waiting.shift()
      if (next !== undefined) next()
      else if (--state.running === 0) callers.delete(caller)
    }
  }
}

/** Bytes. A body that is larger than this, or whose size is not stated, waits for its turn. */
const largeBytes = 256 * 1024

export const mayBeLarge = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBytes

/**
 * Admits a few requests with large bodies at once, because each body stays in memory until its response is sent. The
 * others wait with their bodies unread. Throws `Unavailable` (503) if too many are waiting.
 */
export function largeBodies({ atOnce, waiting: mostWaiting }: { atOnce: number; waiting: number }) {
  let present = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) present -= 1
    else next()
  }
  return async (response: ServerResponse): Promise<void> => {
    if (present < atOnce) present += 1
    else if (waiting.length < mostWaiting) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw Unavailable()
    if (response.closed) leave()
    else response.once('close', leave)
  }
}
