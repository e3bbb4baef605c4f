import type { Tx } from '#kernel/context.ts'
import { lockContactsForShare, lockFurtherForShare } from '../contacts/public.ts'
import { type DocumentRow, signingContactIds } from './document.ts'
import { findDocument, lockDocument } from './queries.ts'

/**
 * Locks a document after holding its contacts, because a transaction that publishes an event about a contact must hold
 * it. `further` are additional contacts to hold.
 */
export async function lockWithContacts(
  tx: Tx,
  id: string,
  further: readonly string[] = [],
): Promise<DocumentRow | undefined> {
  const known = await findDocument(tx, id)
  const present = [...further, ...(known === undefined ? [] : signingContactIds(known))]
  if (present.length > 0) await lockContactsForShare(tx.unrestricted(), present)
  const document = await lockDocument(tx, id)
  if (document !== undefined) await lockFurtherForShare(tx, present, signingContactIds(document))
  return document
}
