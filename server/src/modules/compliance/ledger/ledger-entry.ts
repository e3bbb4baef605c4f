import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { Actor } from '#kernel/events/journal.ts'
import { nullable } from '#kernel/schemas.ts'
import { subjectTypes } from '../suppression.ts'

const entryKinds = [
  'consent_captured',
  'consent_revoked',
  'opted_out',
  'opt_out_lifted',
  'suppressed',
  'suppression_lifted',
  'opt_out_confirmed',
] as const

/** An entry of the consent ledger. */
export const EntryRow = Type.Object({
  id: Type.String(),
  at: Type.String(),
  kind: Type.Enum(entryKinds),
  subject_type: Type.Union([Type.Enum(subjectTypes), Type.Null()]),
  /** A contact's id, or the keyed hash of a number or an address. */
  subject: nullable(Type.String()),
  contact_id: nullable(Type.String()),
  /** The id of the lead, the suppression, or the message that the entry is about. */
  record_id: Type.String(),
  /** The kind of the suppression; null for other entries. */
  reason: nullable(Type.String()),
  channels: Type.Array(Type.String()),
  /** When the recorded change takes effect. */
  since: Type.String(),
  artifact_sha256: nullable(Type.String()),
  source: Type.String(),
  actor: Type.Unsafe<Actor>({}),
})
export type LedgerEntry = Static<typeof EntryRow>

/** The previous hash of a workspace's first entry. */
export const genesis = '0'.repeat(64)

/**
 * What an entry's hash covers besides the previous hash: a JSON array of the workspace, the entry's sequence number, and every column,
 * in this order. The actor is an array of its members, as pairs of name and value, sorted by name.
 */
export const canonicalEntry = (workspaceId: string, sequence: number, entry: LedgerEntry): string =>
  JSON.stringify([
    workspaceId,
    sequence,
    entry.id,
    entry.at,
    entry.kind,
    entry.subject_type,
    entry.subject,
    entry.contact_id,
    entry.record_id,
    entry.reason,
    entry.channels,
    entry.since,
    entry.artifact_sha256,
    entry.source,
    Object.entries(entry.actor).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ])

/** SHA-256, in hexadecimal, of the previous hash's bytes followed by the canonical entry in UTF-8. */
export const hashOf = (previous: string, canonical: string): string =>
  createHash('sha256').update(Buffer.from(previous, 'hex')).update(canonical).digest('hex')
