import type { Static } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { requireReach } from '#kernel/reach.ts'
import { changeDocument } from './change-document.ts'
import { dealNamed } from './create-document.ts'
import type { DocumentRow, documentRecord } from './document.ts'
import { DocumentErased } from './errors.ts'
import { lockWithContacts } from './lock.ts'

/**
 * Applies the patch. Throws 404 for a deal or owner that is unknown or out of reach, and 409 for a new title after an
 * erasure.
 */
export const updateDocument = (
  ctx: Ctx,
  id: string,
  patch: Static<typeof documentRecord.Patch>,
): Promise<DocumentRow> =>
  ctx.transaction(async (tx) => {
    const before = requireMatch(ctx, orNotFound(await lockWithContacts(tx, id)))
    if (typeof patch.title === 'string' && before.erased_at !== null) throw DocumentErased()
    // Null is allowed too: the document then has no owner and leaves the caller's reach.
    if (typeof patch.owner_id === 'string') requireReach(ctx.reach, patch.owner_id, 'owner_id')
    if (patch.deal_id !== before.deal_id) await dealNamed(tx, patch.deal_id)
    return changeDocument(tx.unrestricted(), before, patch)
  })
