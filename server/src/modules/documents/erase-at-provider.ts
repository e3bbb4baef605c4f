import type { Ctx } from '#kernel/context.ts'
import { changeDocument } from './change-document.ts'
import type { DocumentRow } from './document.ts'
import { lockWithContacts } from './lock.ts'
import type { Fault, ProviderAccount, SignatureProvider } from './ports.ts'
import { saveNextLook } from './queries.ts'
import { recordProgress } from './record-progress.ts'
import { maySign } from './statuses.ts'

const isGone = (fault: Fault | undefined) => fault === undefined || fault.fault === 'document_not_found'

/** Deletes an erased document at the provider and records its final status: voided if it could still be signed. */
export async function eraseAtProvider(
  ctx: Ctx,
  { account, provider }: { account: ProviderAccount; provider: SignatureProvider },
  { id, provider_document_id, status }: DocumentRow,
): Promise<Fault | undefined> {
  if (provider_document_id !== null) {
    if (maySign(status)) {
      const read = await provider.read(account, provider_document_id)
      if (!('fault' in read)) await recordProgress(ctx, id, read)
      else if (!isGone(read)) return read
    }
    const fault = await provider.discard(account, provider_document_id)
    if (!isGone(fault)) return fault
  }
  await ctx.transaction(async (tx) => {
    const document = await lockWithContacts(tx, id)
    if (document === undefined) return
    await changeDocument(tx, document, {
      error: null,
      ...(maySign(document.status) ? { status: 'voided' as const } : {}),
    })
    saveNextLook(tx, id, null)
  })
  return undefined
}
