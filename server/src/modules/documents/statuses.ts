/** Statuses of a document. What a provider reports never lowers the rank. */
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

/** Those of a signer. */
export const signerStatuses = ['draft', 'sent', 'viewed', 'signed', 'declined', 'expired'] as const
export type SignerStatus = (typeof signerStatuses)[number]

/** The status after one was reported: a late report changes nothing. */
export const risen = <S extends DocumentStatus>(before: S, reported: S): S =>
  ranks[reported] > ranks[before] ? reported : before

/** Whether people may still sign: before that too, and after a deadline that a provider can extend. */
export const maySign = (status: DocumentStatus): boolean => ranks[status] <= ranks.expired
