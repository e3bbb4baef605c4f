/** A message that the carrier has. */
export interface CarriedMessage {
  id: string
  /** The account at the provider. */
  account: string
  /** As the account sees it. */
  direction: 'outbound' | 'inbound'
  from: string
  to: string
  /** Of an email, as are the address to respond to and the Message-ID. */
  subject?: string
  replyTo?: string | null
  messageId?: string | null
  body: string
  /** In the provider's words. */
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
