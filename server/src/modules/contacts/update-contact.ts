import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { Change } from '#kernel/events/event.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { requireReach } from '#kernel/reach.ts'
import { changesOf } from '#kernel/records/changes.ts'
import { pointsOf } from './contact-points.ts'
import { type Contact, type ContactPatch, contacts, fields, tagKey } from './contact.ts'
import { ContactErased } from './errors.ts'
import { ContactStageChanged, ContactTagAdded, ContactUpdated } from './events.ts'
import type { FoundContact } from './external-id-queries.ts'
import { distinctIds } from './external-id.ts'
import { findByExternalIds, giveExternalIds } from './external-ids.ts'
import { settleDoubles } from './holders.ts'
import { lockPersons } from './lock-persons.ts'
import { phoneParts } from './phone.ts'
import { movePoints } from './point-queries.ts'
import { lockContact, saveContact } from './queries.ts'

/**
 * Applies the patch. Publishes one event per actual change: `contact.stage_changed` for a new stage,
 * `contact.tag_added` for each new tag, and one `contact.updated` for everything else, including removed tags.
 */
export const updateContact = (ctx: Ctx, id: string, patch: ContactPatch): Promise<Contact> =>
  ctx.transaction(async (tx) =>
    orNotFound(
      await updateFound(ctx, tx, id, {
        patch,
        found: await findByExternalIds(ctx, tx, patch.external_ids ?? []),
      }),
    ),
  )

/**
 * Like `updateContact`, in a transaction. `found`: the contacts that have the patch's external IDs. `adds`: whether the contact
 * also keeps those that it has. Returns undefined if there is no such contact.
 */
export async function updateFound(
  ctx: Ctx,
  tx: Tx,
  id: string,
  {
    patch: sent,
    found,
    adds = false,
  }: { patch: ContactPatch; found: readonly FoundContact[]; adds?: boolean },
): Promise<Contact | undefined> {
  const { phone, email, ai_auto_response, external_ids: given } = sent
  if (phone !== undefined || email !== undefined || ai_auto_response !== undefined)
    await lockPersons(tx, {
      contactIds: [id],
      points: pointsOf({ phone: phone ?? null, email: email ?? null }),
    })
  const locked = await lockContact(tx, id)
  if (locked === undefined) return undefined
  // A POST takes no If-Match.
  const before = adds ? locked : requireMatch(ctx, locked)
  if (before.erased_at !== null) throw ContactErased()
  // Null is allowed too: the contact then has no owner and leaves the caller's reach.
  if (typeof sent.owner_id === 'string') requireReach(ctx.reach, sent.owner_id, 'owner_id')
  const source = sent.address === undefined ? {} : { address_source: sent.address && ('contact' as const) }
  const reason =
    ai_auto_response === undefined || ai_auto_response === before.ai_auto_response
      ? {}
      : { ai_paused_reason: ai_auto_response === 'paused' ? ('manual' as const) : null }
  const { external_ids: had } = before
  const external_ids = given && distinctIds(adds ? [...had, ...given] : given)
  const patch = external_ids === undefined ? sent : { ...sent, external_ids }
  if (given !== undefined && external_ids !== undefined)
    giveExternalIds(ctx, tx, { id, external_ids }, { given, found, had })
  const after = await changeContact(tx.unrestricted(), before, { ...patch, ...source, ...reason })
  const pointsBefore = new Set(pointsOf(before).map(({ value }) => value))
  await settleDoubles(
    tx,
    id,
    pointsOf(after).filter(({ value }) => !pointsBefore.has(value)),
  )
  return after
}

/**
 * Like `updateContact`, for a caller that holds the contact's lock and, if the points change, the locks of the points.
 */
export async function changeContact(
  tx: Tx,
  before: Contact,
  patch: ContactPatch &
    Partial<Pick<Contact, 'address_source' | 'ai_paused_reason' | 'phone_e164' | 'phone_extension'>>,
): Promise<Contact> {
  const isNewPhone = patch.phone !== undefined && patch.phone !== before.phone
  const number = isNewPhone ? phoneParts(patch.phone ?? null) : {}
  const patched = contacts.applyPatch(before, { ...number, ...patch }, tx.clock.now())
  if (patched === undefined) return before
  const { after, changed } = patched
  saveContact(tx, after, changed)
  if (before.phone !== after.phone || before.email !== after.email) movePoints(tx, after)
  await emitChanges(tx, before, after)
  return after
}

async function emitChanges(tx: Tx, before: Contact, after: Contact): Promise<void> {
  const { id } = after
  if (before.stage !== after.stage)
    await tx.emit(ContactStageChanged, { id, from: before.stage, to: after.stage })
  const had = new Set(before.tags.map(tagKey))
  for (const tag of after.tags.filter((one) => !had.has(tagKey(one))))
    await tx.emit(ContactTagAdded, { id, tag })
  const changes = detailChanges(before, after)
  if (changes.length > 0) await tx.emit(ContactUpdated, { id, changes })
}

const {
  stage: _stage,
  tags: _tags,
  erased_at: _erased,
  address_source: _source,
  phone_e164: _number,
  phone_extension: _extension,
  ...details
} = fields
const detailNames = Object.keys(details) as (keyof typeof details)[]

/** Changes other than a new stage and added tags. */
function detailChanges(before: Contact, after: Contact): Change[] {
  const changes = changesOf(contacts, detailNames, before, after)
  const [{ tags: from }, { tags: to }] = [contacts.mask(before), contacts.mask(after)]
  return before.tags.some((tag) => !after.tags.includes(tag))
    ? [...changes, { field: 'tags', from, to }]
    : changes
}
