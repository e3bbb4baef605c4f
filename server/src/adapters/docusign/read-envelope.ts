import type { DocumentStatus, ReadDocument, ReadSigner, SignerStatus } from '../../modules/documents/ports.ts'
import { objectsIn } from '../replies.ts'

type Json = Record<string, unknown>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const timeOf = (value: unknown): string | null => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

const statuses: Readonly<Record<string, DocumentStatus>> = {
  created: 'draft',
  sent: 'sent',
  delivered: 'viewed',
  // Everyone has signed, but the envelope is not complete yet.
  signed: 'viewed',
  completed: 'signed',
  declined: 'declined',
  deleted: 'voided',
  timedout: 'expired',
}

const signerStatuses: Readonly<Record<string, SignerStatus>> = {
  created: 'draft',
  sent: 'sent',
  autoresponded: 'sent',
  delivered: 'viewed',
  signed: 'signed',
  completed: 'signed',
  declined: 'declined',
}

/** Reads an envelope, as returned by `GET /envelopes/{id}?include=recipients`. */
export function envelopeIn(envelope: Json): ReadDocument {
  const { recipients, status, voidedReason } = envelope
  const signers = objectsIn(
    typeof recipients === 'object' && recipients !== null ? (recipients as Json)['signers'] : [],
  )
  return {
    title: textOf(envelope['emailSubject']),
    status: statusOf(textOf(status), textOf(voidedReason)),
    signers: signers.map(signerOf),
    sentAt: timeOf(envelope['sentDateTime']),
    completedAt: timeOf(envelope['completedDateTime']),
  }
}

/** DocuSign voids an expired envelope and gives a standard reason. */
function statusOf(status: string, voidedReason: string): DocumentStatus {
  if (status === 'voided') return /^envelope has expired/i.test(voidedReason) ? 'expired' : 'voided'
  return statuses[status] ?? 'draft'
}

const signerOf = (signer: Json): ReadSigner => ({
  providerSignerId: textOf(signer['recipientIdGuid']) || textOf(signer['recipientId']),
  name: textOf(signer['name']),
  email: textOf(signer['email']),
  role: textOf(signer['roleName']) || 'signer',
  status: signerStatuses[textOf(signer['status'])] ?? 'draft',
  signedAt: timeOf(signer['signedDateTime']),
})
