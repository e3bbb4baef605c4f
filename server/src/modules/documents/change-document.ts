import type { Tx } from '#kernel/context.ts'
import { type DocumentRow, signingContactIds, documentRecord } from './document.ts'
import { DocumentSigned, DocumentStatusChanged, DocumentUpdated } from './events.ts'
import { saveDocument } from './queries.ts'

/** Fields whose changes `document.updated` does not report, because other events cover them or no one sees them. */
const silent = new Set([
  'updated_at',
  'status',
  'sent_at',
  'signed_at',
  'void_reason',
  'file_id',
  'provider_document_id',
])

/**
 * Changes a document that the caller has locked, and publishes the events. `document.signed` is published once, when
 * the document is signed.
 */
export async function changeDocument(
  tx: Tx,
  before: DocumentRow,
  patch: Partial<DocumentRow>,
): Promise<DocumentRow> {
  const patched = documentRecord.applyPatch(before, patch, tx.clock.now())
  if (patched === undefined) return before
  const { after, changed } = patched
  saveDocument(tx, after, changed)
  const contact_ids = [...new Set([...signingContactIds(after), ...signingContactIds(before)])]
  const { id, deal_id, title, signed_at, created_by } = after
  // The addresses came from the creator, who must not learn whose they are if the creator sees only masks.
  const hidden_from = after.signers.some(({ found }) => found === true) ? created_by.id : null
  const about = { id, contact_ids, hidden_from }
  const fields = Object.keys(changed).filter((name) => !silent.has(name))
  if (fields.length > 0) await tx.emit(DocumentUpdated, { ...about, fields })
  if (after.status === before.status) return after
  if (after.status !== 'signed')
    await tx.emit(DocumentStatusChanged, { ...about, from: before.status, to: after.status })
  else
    await tx.emit(DocumentSigned, {
      ...about,
      deal_id,
      contact_id: contact_ids[0] ?? null,
      signed_at: signed_at ?? after.updated_at,
      ...(title === null ? {} : { title }),
    })
  return after
}
