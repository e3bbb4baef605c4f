import type { Message, MessageStatus } from './message.ts'

/** How far each status is. A message moves to a higher one only; what was received has no way. */
const ranks: Record<MessageStatus, number> = {
  scheduled: 0,
  queued: 0,
  sending: 1,
  unknown: 2,
  sent: 3,
  failed: 4,
  undelivered: 5,
  delivered: 6,
  read: 7,
  pending_approval: 9,
  blocked: 9,
  cancelled: 9,
  received: 9,
}

/** Whether a message moves from one status to the other, in whatever order reports arrive: proof of receipt beats a failure. */
export const advances = (from: MessageStatus, to: MessageStatus): boolean =>
  ranks[to] > ranks[from] && ranks[from] < 9

/** The times that a status brings with it. What was delivered has been sent. */
export const timesOf = (before: Message, status: MessageStatus, at: string): Partial<Message> => ({
  ...(ranks[status] >= ranks.sent && status !== 'failed' ? { sent_at: before.sent_at ?? at } : {}),
  ...(status === 'delivered' || status === 'read' ? { delivered_at: before.delivered_at ?? at } : {}),
  ...(status === 'read' ? { read_at: at } : {}),
})
