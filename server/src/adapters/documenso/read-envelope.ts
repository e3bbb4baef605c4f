import type { DocumentStatus, ReadDocument, ReadSigner, SignerStatus } from '../../modules/documents/ports.ts'
import { objectsIn } from '../replies.ts'

type Json = Record<string, unknown>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const timeOf = (value: unknown): string | null => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

/** The recipients who have something to do, in signing order. */
export const recipientsIn = (envelope: Json): Json[] =>
  objectsIn(envelope['recipients'])
    .filter(({ role }) => role !== 'CC')
    .toSorted((one, other) => orderOf(one) - orderOf(other))

const orderOf = ({ signingOrder, id }: Json) =>
  (typeof signingOrder === 'number' ? signingOrder * 1e9 : 0) + (typeof id === 'number' ? id : 0)

/** Reads an envelope of type DOCUMENT, as returned by `GET /envelope/{id}`. */
export function documentIn(envelope: Json, now: Date): ReadDocument {
  const signers = recipientsIn(envelope).map((recipient) => signerOf(recipient, now))
  return {
    title: textOf(envelope['title']),
    status: statusOf(textOf(envelope['status']), signers),
    signers,
    // Documenso doesn't report when it sent a document.
    sentAt: null,
    completedAt: timeOf(envelope['completedAt']),
  }
}

function statusOf(status: string, signers: readonly ReadSigner[]): DocumentStatus {
  if (status === 'COMPLETED') return 'signed'
  if (status === 'REJECTED' || signers.some((one) => one.status === 'declined')) return 'declined'
  if (status === 'CANCELLED') return 'voided'
  if (status === 'DRAFT') return 'draft'
  if (signers.some((one) => one.status === 'expired')) return 'expired'
  return signers.some((one) => one.status === 'viewed' || one.status === 'signed') ? 'viewed' : 'sent'
}

const signerOf = (recipient: Json, now: Date): ReadSigner => ({
  providerSignerId: String(recipient['id']),
  name: textOf(recipient['name']),
  email: textOf(recipient['email']),
  role: textOf(recipient['role']).toLowerCase(),
  status: signerStatusOf(recipient, now),
  signedAt: recipient['signingStatus'] === 'SIGNED' ? timeOf(recipient['signedAt']) : null,
})

function signerStatusOf({ signingStatus, readStatus, sendStatus, expiresAt }: Json, now: Date): SignerStatus {
  if (signingStatus === 'SIGNED') return 'signed'
  if (signingStatus === 'REJECTED') return 'declined'
  const deadline = timeOf(expiresAt)
  if (deadline !== null && deadline <= now.toISOString()) return 'expired'
  if (readStatus === 'OPENED') return 'viewed'
  return sendStatus === 'SENT' ? 'sent' : 'draft'
}

/** The IDs of the envelope's PDFs, in order. */
export const itemsIn = (envelope: Json): string[] =>
  objectsIn(envelope['envelopeItems'])
    .toSorted((one, other) => Number(one['order']) - Number(other['order']))
    .flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
