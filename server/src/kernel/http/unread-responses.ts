import type { ServerResponse } from 'node:http'
import { TooMuchUnread } from './http-errors.ts'

/** Response bytes that may wait for one caller to read them. A larger response is sent if it is the only one. */
const maxBytes = 16 * 1024 * 1024

/** The responses that one caller has requested and not read, which this process must hold for it. */
interface Room {
  /** Throws `TooMuchUnread` if the caller has no room, or none for so many bytes more. */
  require(bytes?: number): void
  /** Counts a response until it has been handed over whole, or the connection is gone. */
  add(bytes: number, response: ServerResponse): void
}

/** Rates bound how often a caller asks, not how long it leaves the responses lying. */
export interface UnreadResponses {
  of(caller: string): Room
}

export function unreadResponses(): UnreadResponses {
  const callers = new Map<string, { bytes: number }>()
  return {
    of(caller) {
      const require = (bytes = 1) => {
        const before = callers.get(caller)?.bytes ?? 0
        if (before > 0 && before + bytes > maxBytes) throw TooMuchUnread()
      }
      const add = (bytes: number, response: ServerResponse) => {
        const unread = callers.get(caller) ?? { bytes: 0 }
        if (unread.bytes === 0) callers.set(caller, unread)
        unread.bytes += bytes
        response.once('close', () => {
          unread.bytes -= bytes
          if (unread.bytes === 0) callers.delete(caller)
        })
      }
      return { require, add }
    },
  }
}
