/** Document statuses by rank. A provider's report never lowers the rank. */
const ranks = { draft: 0, sent: 1, viewed: 2, expired: 3, declined: 4, voided: 4, signed: 5 } as const
export type DocumentStatus = keyof typeof ranks
export const documentStatuses = [
  'draft',
  'sent',
  'viewed',
  'signed',
  'declined',
  'voided',
  'expired',
] as const satisfies readonly DocumentStatus[]

/** Statuses of a signer. */
export const signerStatuses = ['draft', 'sent', 'viewed', 'signed', 'declined', 'expired'] as const
export type SignerStatus = (typeof signerStatuses)[number]

/** The status after a report. A stale report changes nothing. */
export const risen = <S extends DocumentStatus>(before: S, reported: S): S =>
  ranks[reported] > ranks[before] ? reported : before

/**
 * Whether the document can still be signed. True for drafts, and for expired documents because a provider can extend a
 * deadline.
 */
export const maySign = (status: DocumentStatus): boolean => ranks[status] <= ranks.expired
