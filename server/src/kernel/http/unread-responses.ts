import type { ServerResponse } from 'node:http'
import { TooMuchUnread } from './http-errors.ts'

/**
 * Maximum number of response bytes that may wait for one caller to read them. A larger response is sent if it is the
 * only one.
 */
const maxBytes = 16 * 1024 * 1024

/**
 * Tracks the responses that each caller has requested but not read, which this process must hold. Rate limits bound
 * how often a caller sends requests, not how long it leaves the responses unread.
 */
export interface UnreadResponses {
  /** Throws `TooMuchUnread` if the caller has no room left, or not enough for a response with this text. */
  requireRoom(caller: string, text?: string | Buffer): void
  /**
   * Counts a response that was just sent, unless the connection has already taken all of it. It counts until the
   * connection has taken it or is gone.
   */
  add(caller: string, response: ServerResponse, text: string | Buffer): void
}

export function unreadResponses(): UnreadResponses {
  const unread = new Map<string, number>()
  const count = (caller: string, bytes: number) => {
    const total = (unread.get(caller) ?? 0) + bytes
    if (total === 0) unread.delete(caller)
    else unread.set(caller, total)
  }
  return {
    requireRoom(caller, text) {
      const before = unread.get(caller)
      if (before === undefined) return
      const bytes = text === undefined ? 1 : Buffer.byteLength(text)
      if (before + bytes > maxBytes) throw TooMuchUnread()
    },
    add(caller, response, text) {
      if (response.writableLength === 0) return
      const bytes = Buffer.byteLength(text)
      count(caller, bytes)
      response.once('close', () => count(caller, -bytes))
    },
  }
}
