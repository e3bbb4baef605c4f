import { isDeepStrictEqual } from 'node:util'
import type { Ctx, Tx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import type { Change } from '#kernel/events/event.ts'
import { type Contact, type ContactFields, distinctTags } from './contact.ts'
import { ContactErased } from './errors.ts'
import { ContactStageChanged, ContactTagAdded, ContactUpdated } from './events.ts'
import { maskText } from './masking.ts'
import { ownerChecked } from './owner.ts'
import { lockContact, saveContact } from './queries.ts'
import { type ContactPatch, maskForEvents } from './schemas.ts'

/**
 * Changes what the patch names. Emits one event a real change and none where nothing changed: a new stage is
 * `contact.stage_changed`, each tag that came is `contact.tag_added`, and all else together, tags that went
 * included, is one `contact.updated`.
 */
export const updateContact = (ctx: Ctx, id: string, patch: ContactPatch): Promise<Contact> =>
  ownerChecked(() =>
    ctx.transaction(async (tx) => {
      const before = found(await lockContact(tx, id))
      if (before.erased_at !== null) throw ContactErased()
      return changeContact(tx, before, patch)
    }),
  )

/** The same for whoever holds the contact's lock already. */
export async function changeContact(tx: Tx, before: Contact, patch: ContactPatch): Promise<Contact> {
  const after = {
    ...before,
    ...patch,
    tags: patch.tags === undefined ? before.tags : distinctTags(patch.tags),
  }
  if (isDeepStrictEqual(before, after)) return before
  after.updated_at = tx.clock.now().toISOString()
  saveContact(tx, after)
  await emitChanges(tx, before, after)
  return after
}

async function emitChanges(tx: Tx, before: Contact, after: Contact): Promise<void> {
  const { id } = after
  if (before.stage !== after.stage)
    await tx.emit(ContactStageChanged, { id, from: before.stage, to: after.stage })
  for (const tag of after.tags.filter((one) => !before.tags.includes(one)))
    await tx.emit(ContactTagAdded, { id, tag: maskText(tag) })
  const changes = changesOf(before, after)
  if (changes.length > 0) await tx.emit(ContactUpdated, { id, changes })
}

const detailFields = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'source',
  'notes',
  'owner_id',
  'ai_auto_response',
] as const satisfies (keyof ContactFields)[]

/** What changed beside stage and new tags, with phone and e-mail masked. Compared unmasked: masks can coincide. */
function changesOf(before: Contact, after: Contact): Change[] {
  const shownBefore = maskForEvents(before)
  const shownAfter = maskForEvents(after)
  const changes: Change[] = detailFields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, from: shortened(shownBefore[field]), to: shortened(shownAfter[field]) }))
  if (before.tags.some((tag) => !after.tags.includes(tag))) {
    changes.push({ field: 'tags', from: shownBefore.tags, to: shownAfter.tags })
  }
  return changes
}

const maxShown = 200

/** A note of 20,000 characters would stand twice in every event of its change. */
function shortened(text: string | null): string | null {
  if (text === null || text.length <= maxShown) return text
  return `${Array.from(text).slice(0, maxShown).join('')}…`
}
