import type { SentMedia } from './message-log.ts'

/** An account's address, and what happens when a handset contacts it. */
export interface PhoneLine {
  receive(message: { from: string; to: string; body: string; media?: readonly SentMedia[] }): void
  /** Handles a call from a handset. Omitted if the address takes no calls. */
  call?(from: string): void
  /** Like `call`, but answered by the AI agent that last called from this number. Omitted if there is none. */
  callAgent?(from: string): void
}

/**
 * Addresses that handsets can write to. Each protocol adds those of its accounts: a number for texts, `whatsapp:` and a
 * number for WhatsApp.
 */
export type PhoneLines = Map<string, PhoneLine>
