import type { Message, MessageStatus } from './message.ts'

/** The rank of each status. A report moves a message only to a higher rank, and never out of rank 9. */
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

/**
 * Whether a report of status `to` moves a message on from status `from`. Reports may arrive in any order; proof of
 * delivery outranks a failure.
 */
export const advances = (from: MessageStatus, to: MessageStatus): boolean =>
  ranks[to] > ranks[from] && ranks[from] < 9

/** The times that a new status sets. A delivered message was also sent. */
export const timesOf = (before: Message, status: MessageStatus, at: string): Partial<Message> => ({
  ...(ranks[status] >= ranks.sent && status !== 'failed' ? { sent_at: before.sent_at ?? at } : {}),
  ...(status === 'delivered' || status === 'read' ? { delivered_at: before.delivered_at ?? at } : {}),
  ...(status === 'read' ? { read_at: at } : {}),
})
