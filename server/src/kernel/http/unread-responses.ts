import type { ServerResponse } from 'node:http'
import { TooMuchUnread } from './http-errors.ts'

/** Response bytes that may wait for one caller to read them. A larger response is sent if it is the only one. */
const maxBytes = 16 * 1024 * 1024

/**
 * Keeps count of what each caller has requested and not read, which this process must hold for it. Rates bound how
 * often a caller asks, not how long it leaves the responses lying.
 */
export interface UnreadResponses {
  /** Throws `TooMuchUnread` if the caller has no room, or none for so many bytes more. */
  requireRoom(caller: string, bytes?: number): void
  /** Counts a response until it has been handed over whole, or the connection is gone. */
  add(caller: string, bytes: number, response: ServerResponse): void
}

export function unreadResponses(): UnreadResponses {
  const unread = new Map<string, number>()
  const of = (caller: string) => unread.get(caller) ?? 0
  return {
    requireRoom(caller, bytes = 1) {
      const before = of(caller)
      if (before > 0 && before + bytes > maxBytes) throw TooMuchUnread()
    },
    add(caller, bytes, response) {
      unread.set(caller, of(caller) + bytes)
      response.once('close', () => {
        const left = of(caller) - bytes
        if (left > 0) unread.set(caller, left)
        else unread.delete(caller)
      })
    },
  }
}
