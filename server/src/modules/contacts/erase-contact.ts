import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { erasedFields } from './contact.ts'
import { ContactWasErased } from './events.ts'
import { lockContact, saveContact } from './queries.ts'

/**
 * Takes everything personal out of a contact and of whatever speaks of it, in place; the row stays for what refers
 * to it. Cannot be undone. A second erasure changes nothing and answers the time of the first.
 */
export const eraseContact = (ctx: Ctx, id: string): Promise<{ id: string; erased_at: string }> =>
  ctx.transaction(async (tx) => {
    const contact = found(await lockContact(tx, id))
    if (contact.erased_at !== null) return { id, erased_at: contact.erased_at }
    const erased_at = ctx.clock.now().toISOString()
    // Before the contact is emptied, for whoever must know its number still.
    await tx.emit(ContactWasErased, { id })
    saveContact(tx, {
      ...contact,
      ...erasedFields,
      tags: [],
      updated_at: erased_at,
      erased_at,
    })
    await scrubReplies(tx, [id])
    return { id, erased_at }
  })
