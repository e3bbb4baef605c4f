import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { erasedFields } from './contact.ts'
import { ContactWasErased } from './events.ts'
import { forgetExternalIds } from './external-ids.ts'
import { lockPersons } from './lock-persons.ts'
import { deletePoints, listContactPoints } from './point-queries.ts'
import { listNamedInstead, lockContact, saveContact } from './queries.ts'

/**
 * Removes the contact's personal data from its record and from everything that mentions it. The row remains for foreign
 * keys. Cannot be undone. A second erasure changes nothing and returns the time of the first.
 */
export const eraseContact = (ctx: Ctx, id: string): Promise<{ id: string; erased_at: string }> =>
  ctx.transaction(async (tx) => {
    // Opt-outs and other blocks on the contact move to its points, and so affect everyone who shares them.
    const points = await listContactPoints(tx.unrestricted(), { contactIds: [id], points: [] })
    // What waits for others because it named this contact is cancelled.
    const others = await listNamedInstead(tx.unrestricted(), id)
    await lockPersons(tx, { contactIds: [id, ...others], points })
    const contact = orNotFound(await lockContact(tx, id))
    if (contact.erased_at !== null) return { id, erased_at: contact.erased_at }
    const erased_at = ctx.clock.now().toISOString()
    // Publish before the contact is emptied, because subscribers may still need its number.
    await tx.emit(ContactWasErased, { id })
    const changed = { ...erasedFields, updated_at: erased_at, erased_at }
    saveContact(tx, { ...contact, ...changed }, changed)
    deletePoints(tx, id)
    forgetExternalIds(tx, contact)
    await scrubReplies(tx, [id])
    return { id, erased_at }
  })
