/** A message in the log of the carrier. */
export interface CarriedMessage {
  id: string
  /** The account at the provider. */
  account: string
  /** The direction from the account's point of view. */
  direction: 'outbound' | 'inbound'
  from: string
  to: string
  /** Only for emails, like `replyTo` and `messageId`. */
  subject?: string
  replyTo?: string | null
  messageId?: string | null
  body: string
  /** The provider's own status. */
  status: string
  errorCode: number | null
  createdAt: Date
  sentAt: Date | null
}

/** The latest messages, in memory. */
export interface MessageLog {
  add(message: CarriedMessage): void
  find(id: string): CarriedMessage | undefined
  newestFirst(): CarriedMessage[]
}

export function createMessageLog(maxMessages: number): MessageLog {
  const messages = new Map<string, CarriedMessage>()
  return {
    add(message) {
      messages.set(message.id, message)
      if (messages.size <= maxMessages) return
      const [oldest] = messages.keys()
      if (oldest !== undefined) messages.delete(oldest)
    },
    find: (id) => messages.get(id),
    newestFirst: () => [...messages.values()].toReversed(),
  }
}
