import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { changeDocument } from './change-document.ts'
import type { DocumentRow } from './document.ts'
import { DocumentClosed } from './errors.ts'
import { queueDocument } from './jobs.ts'
import { lockWithContacts } from './lock.ts'
import { saveNextLook } from './queries.ts'
import { maySign } from './statuses.ts'

/**
 * Voids a document: immediately if the provider does not have it yet, otherwise once a job has voided it at the
 * provider. A voided document stays as it is. Throws 409 for a signed or declined document.
 */
export const voidDocument = (ctx: Ctx, id: string, reason: string | null): Promise<DocumentRow> =>
  ctx.transaction(async (tx) => {
    const before = orNotFound(await lockWithContacts(tx, id))
    if (before.status === 'voided') return before
    if (!maySign(before.status)) throw DocumentClosed(before.status)
    if (before.void_requested_at !== null) return before
    const now = ctx.clock.now()
    if (before.provider_document_id === null) return changeDocument(tx, before, { status: 'voided' })
    saveNextLook(tx, id, now)
    queueDocument(tx, id)
    return changeDocument(tx, before, { void_requested_at: now.toISOString(), void_reason: reason })
  })
