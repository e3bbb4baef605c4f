/** An address of an account, and what happens to a message that a handset sends to it. */
export interface PhoneLine {
  receive(message: { from: string; to: string; body: string }): void
  /** A handset calls it. Left out where it takes no calls. */
  call?(from: string): void
  /** The same, and the agent answers that last called from it. Left out where none has. */
  callAgent?(from: string): void
}

/**
 * Every protocol adds the addresses of its accounts, and handsets write to them: a number for texts, a number after `whatsapp:`
 * for WhatsApp.
 */
export type PhoneLines = Map<string, PhoneLine>
