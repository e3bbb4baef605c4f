import type { Tx } from '#kernel/context.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { listContactPoints } from '../contacts/public.ts'
import { eraseFile } from '../files/public.ts'
import { changeDocument } from './change-document.ts'
import { erasedDocument } from './document.ts'
import { queueDocument } from './jobs.ts'
import { lockDocumentsOf, saveNextLook } from './queries.ts'

/**
 * Removes title, name, address, and file from the documents of an erased contact, including documents that only have
 * the contact's email address among the signers. A document that the provider does not have yet is voided, because it
 * can no longer be sent. Otherwise, a job removes it from the provider.
 */
export async function eraseDocuments(tx: Tx, contactId: string): Promise<void> {
  const points = await listContactPoints(tx, { contactIds: [contactId], points: [], leaving: contactId })
  const addresses: readonly string[] = points.flatMap(({ type, value, elsewhere }) =>
    type === 'email' && !elsewhere ? [value] : [],
  )
  const documents = await lockDocumentsOf(tx, [contactId, ...addresses])
  const erased_at = tx.clock.now().toISOString()
  for (const document of documents) {
    if (document.file_id !== null) await eraseFile(tx, document.file_id)
    const isUnsent = document.status === 'draft' && document.provider_document_id === null
    await changeDocument(tx, document, {
      ...erasedDocument(
        document,
        ({ contact_id, email }) =>
          contact_id === contactId ||
          (contact_id === null && email !== null && addresses.includes(email.toLowerCase())),
      ),
      ...(isUnsent ? { status: 'voided' as const } : {}),
      erased_at: document.erased_at ?? erased_at,
    })
    saveNextLook(tx, document.id, new Date(erased_at))
    queueDocument(tx, document.id)
  }
  if (documents.length > 0)
    await scrubReplies(
      tx,
      documents.map(({ id }) => id),
    )
}
