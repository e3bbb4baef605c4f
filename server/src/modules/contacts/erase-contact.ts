import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { erasedFields } from './contact.ts'
import { ContactWasErased } from './events.ts'
import { lockPersons } from './lock-persons.ts'
import { deletePoints, listContactPoints } from './point-queries.ts'
import { lockContact, saveContact } from './queries.ts'

/**
 * Removes the contact's personal data from its record and from everything that mentions it. The row stays for what
 * refers to it. Cannot be undone. A second erasure changes nothing and returns the time of the first.
 */
export const eraseContact = (ctx: Ctx, id: string): Promise<{ id: string; erased_at: string }> =>
  ctx.transaction(async (tx) => {
    // What held against the contact will hold against its points, and so against those who share them.
    const points = await listContactPoints(tx.unrestricted(), { contactIds: [id], points: [] })
    await lockPersons(tx, { contactIds: [id], points })
    const contact = found(await lockContact(tx, id))
    if (contact.erased_at !== null) return { id, erased_at: contact.erased_at }
    const erased_at = ctx.clock.now().toISOString()
    // Before the contact is emptied: subscribers may still need its number.
    await tx.emit(ContactWasErased, { id })
    const changed = { ...erasedFields, updated_at: erased_at, erased_at }
    saveContact(tx, { ...contact, ...changed }, changed)
    deletePoints(tx, id)
    await scrubReplies(tx, [id])
    return { id, erased_at }
  })
