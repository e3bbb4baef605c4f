/** A file of a message. Its ID also finds it where the provider stores files. */
export interface CarriedMedia {
  id: string
  contentType: string
  name: string | null
  content: Buffer
}

/** A file that a handset sends. */
export type SentMedia = Omit<CarriedMedia, 'id'>

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
  media?: CarriedMedia[]
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
  findMedia(id: string): CarriedMedia | undefined
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
    findMedia(id) {
      for (const { media = [] } of messages.values()) {
        const found = media.find((one) => one.id === id)
        if (found !== undefined) return found
      }
      return undefined
    },
    newestFirst: () => [...messages.values()].toReversed(),
  }
}
