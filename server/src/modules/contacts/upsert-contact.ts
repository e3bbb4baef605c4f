import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed } from '#kernel/errors.ts'
import type { Contact, ContactDraft } from './contact.ts'
import { addContact } from './create-contact.ts'
import { ContactErased } from './errors.ts'
import { findByExternalIds } from './external-ids.ts'
import { updateFound } from './update-contact.ts'

/**
 * Changes the contact that has one of the draft's external IDs as a patch would, and adds the other IDs to it; else adds a
 * contact. Of simultaneous requests with one new ID, one adds the contact. Throws 409 `contact_erased` if the caller finds only an
 * erased contact by the IDs, so that a repeated sync does not bring back people who asked to be forgotten.
 */
export const upsertContact = (
  ctx: Ctx,
  draft: ContactDraft,
): Promise<{ contact: Contact; isNew: boolean }> => {
  const { external_ids = [] } = draft
  if (external_ids.length === 0)
    throw ValidationFailed([{ path: 'external_ids', message: 'is required with upsert' }])
  return ctx.transaction(async (tx) => {
    const found = await findByExternalIds(ctx, tx, external_ids)
    const known = found.find(({ erased }) => !erased)
    if (known === undefined && found.length > 0) throw ContactErased()
    const changed =
      known && (await updateFound(ctx, tx, known.contact_id, { patch: draft, found, adds: true }))
    return changed === undefined
      ? // Its contact has just left the caller's reach, or there is none.
        { contact: await addContact(ctx, tx, draft, []), isNew: true }
      : { contact: changed, isNew: false }
  })
}
