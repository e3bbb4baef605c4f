import type { Ctx, Tx } from '#kernel/context.ts'
import { requireReach } from '#kernel/reach.ts'
import { pointsOf } from './contact-points.ts'
import { type Contact, type ContactDraft, contacts } from './contact.ts'
import { ContactCreated } from './events.ts'
import type { FoundContact } from './external-id-queries.ts'
import { findByExternalIds, giveExternalIds } from './external-ids.ts'
import { settleDoubles } from './holders.ts'
import { phoneParts } from './phone.ts'
import { insertPoints } from './point-queries.ts'
import { insertContact, lockPoints } from './queries.ts'

/**
 * Adds a contact. Throws 404 `not_found` and writes nothing if the owner is not a member of the workspace or is out of
 * reach. A contact added by a member with limited reach belongs to that member by default.
 */
export const createContact = (ctx: Ctx, draft: ContactDraft): Promise<Contact> =>
  ctx.transaction(async (tx) =>
    addContact(ctx, tx, draft, await findByExternalIds(ctx, tx, draft.external_ids ?? [])),
  )

/** Like `createContact`, in a transaction. `found`: the contacts that have its external IDs. */
export async function addContact(
  ctx: Ctx,
  tx: Tx,
  draft: ContactDraft,
  found: readonly FoundContact[],
): Promise<Contact> {
  const { owner_id = ownerOfNew(ctx), external_ids = [] } = draft
  if (owner_id !== null) requireReach(ctx.reach, owner_id, 'owner_id')
  const created = contacts.create(draft, ctx.clock.now())
  const contact = {
    ...created,
    ...phoneParts(created.phone),
    owner_id,
    address_source: created.address && ('contact' as const),
  }
  const points = pointsOf(contact)
  lockPoints(tx, points)
  insertContact(tx, contact, ctx.creator)
  insertPoints(tx, contact.id, points, 'contact', contact.created_at)
  giveExternalIds(ctx, tx, contact, { given: external_ids, found })
  await announceContact(tx, contact)
  await settleDoubles(tx, contact.id, points)
  return contact
}

const ownerOfNew = ({ reach, memberId }: Ctx) => (reach === 'all' ? null : (memberId ?? null))

/** Publishes `contact.created`. */
export const announceContact = (tx: Tx, contact: Contact) => tx.emit(ContactCreated, { ...contact, contact })
