import type { Ctx, Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { type Contact, blankContact, distinctTags } from './contact.ts'
import { ContactCreated } from './events.ts'
import { ownerChecked } from './owner.ts'
import { insertContact } from './queries.ts'
import { type ContactDraft, maskForEvents } from './schemas.ts'

/** Adds a contact. An owner that is no member of the workspace is 404 `not_found`, and nothing is written. */
export const createContact = (ctx: Ctx, draft: ContactDraft): Promise<Contact> =>
  ownerChecked(() =>
    ctx.transaction(async (tx) => {
      const at = ctx.clock.now()
      const contact: Contact = {
        id: newId(at),
        ...blankContact,
        ...draft,
        tags: distinctTags(draft.tags ?? []),
        created_at: at.toISOString(),
        updated_at: at.toISOString(),
        erased_at: null,
      }
      insertContact(tx, contact)
      await announceContact(tx, contact)
      return contact
    }),
  )

/** Tells of a new contact. */
export async function announceContact(tx: Tx, contact: Contact): Promise<void> {
  const { id, stage, owner_id, first_name, last_name, email, phone, source, tags } = maskForEvents(contact)
  await tx.emit(ContactCreated, {
    id,
    stage,
    owner_id,
    contact: { first_name, last_name, email, phone, source, tags },
  })
}
