import type { Tx } from '#kernel/context.ts'

/**
 * The transaction that records what happened at a provider at this time. What happened before the last restore is late: it
 * takes its legal effect, such as that of a STOP, but nothing responds to it and it starts nothing.
 */
export const asReceived = (tx: Tx, receivedAt: Date | null, restoredAt: Date | undefined): Tx =>
  restoredAt !== undefined && (receivedAt === null || receivedAt < restoredAt) ? tx.late() : tx
