import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Unavailable } from '../errors.ts'

/** Runs work of a caller when it is its turn. */
export type Turns = <T>(caller: string, work: () => Promise<T>) => Promise<T>

/** Runs at most `limit` pieces of one caller's work at once. The others wait, first come, first served. */
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
      // The turn passes on, or ends.
      const next = state.waiting.shift()
      if (next !== undefined) next()
      else if (--state.running === 0) callers.delete(caller)
    }
  }
}

/** A body that is larger than this, or does not say how large it is, takes its turn. */
const largeBytes = 256 * 1024

export const mayBeLarge = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBytes

/**
 * Lets a few requests with large bodies in at once, since each is in memory as a whole until it has its response. The others wait with
 * their bodies unread; 503 for those beyond.
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
