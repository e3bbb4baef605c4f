import type { Ctx, Tx } from '#kernel/context.ts'
import { AppError } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { E164 } from '../../contacts/public.ts'
import { SuppressionsUnreadable } from '../errors.ts'
import { ensureKey, findKey, findKeyIn, nameOf } from '../suppression-key.ts'
import type { SuppressionRow } from '../suppression-queries.ts'
import type { LedgerEntry } from './ledger-entry.ts'
import { insertEntries } from './ledger-queries.ts'

type Draft = Omit<LedgerEntry, 'id' | 'at' | 'actor' | 'artifact_sha256'> & { artifact_sha256?: string }

/** Writes consent ledger entries, in the same transaction as the changes that they record. */
function recordEntries(tx: Tx, drafts: readonly Draft[]): void {
  if (drafts.length === 0) return
  const now = tx.clock.now()
  insertEntries(
    tx,
    drafts.map((draft) => ({
      artifact_sha256: null,
      ...draft,
      id: newId(now),
      at: now.toISOString(),
      actor: tx.actor,
    })),
  )
}

/** A suppression, how it was recorded, and the contact that it is about, if known. */
export interface RecordedSuppression {
  row: SuppressionRow
  source: string
  contactId: string | null
}

/** Records suppressions that were added or changed: opt-outs, revocations, and all other kinds. */
export const recordSuppressed = (tx: Tx, added: readonly RecordedSuppression[]): void =>
  recordEntries(
    tx,
    added.map(({ row, source, contactId }) => ({
      ...about(row, contactId),
      kind: row.kind === 'opted_out' || row.kind === 'consent_revoked' ? row.kind : 'suppressed',
      since: row.created_at,
      source,
    })),
  )

/** Records that a suppression was lifted. */
export const recordLifted = (tx: Tx, row: SuppressionRow, source: string): void =>
  recordEntries(tx, [
    {
      ...about(row, null),
      kind: row.kind === 'opted_out' ? 'opt_out_lifted' : 'suppression_lifted',
      since: row.lifted_at ?? row.created_at,
      source,
    },
  ])

const about = ({ id, subject_type, subject, kind, channels }: SuppressionRow, contactId: string | null) => ({
  record_id: id,
  subject_type,
  subject,
  contact_id: subject_type === 'contact' ? subject : contactId,
  reason: kind,
  channels,
})

/** Records the consent that came with a lead. If the key cannot be opened, omits the number, so that no lead is lost. */
export async function recordConsent(
  ctx: Pick<Ctx, 'db' | 'keys'>,
  tx: Tx,
  {
    leadId,
    contactId,
    phone,
    artifact_sha256,
  }: { leadId: string; contactId: string; phone: E164; artifact_sha256: string },
): Promise<void> {
  const key = await keyFor(ctx, tx)
  recordEntries(tx, [
    {
      kind: 'consent_captured',
      ...ofNumber(key, phone),
      contact_id: contactId,
      record_id: leadId,
      reason: null,
      channels: [],
      since: tx.clock.now().toISOString(),
      artifact_sha256,
      source: 'lead',
    },
  ])
}

async function keyFor(ctx: Pick<Ctx, 'db' | 'keys'>, tx: Tx): Promise<Buffer | undefined> {
  try {
    return (await findKey(ctx)) ?? (await ensureKey(tx))
  } catch (error) {
    if (error instanceof AppError && error.code === SuppressionsUnreadable.code) return undefined
    throw error
  }
}

const ofNumber = (key: Buffer | undefined, phone: E164) => ({
  subject_type: key === undefined ? null : ('phone' as const),
  subject: key === undefined ? null : nameOf(key, { type: 'phone', value: phone }),
})

/** Records that the confirmation of an opt-out was sent to a number. */
export async function recordConfirmation(
  tx: Tx,
  { messageId, contactId, phone }: { messageId: string; contactId: string | null; phone: E164 },
): Promise<void> {
  recordEntries(tx, [
    {
      kind: 'opt_out_confirmed',
      ...ofNumber(await findKeyIn(tx), phone),
      contact_id: contactId,
      record_id: messageId,
      reason: null,
      channels: [],
      since: tx.clock.now().toISOString(),
      source: 'system',
    },
  ])
}
