import type { Ctx, Tx } from '#kernel/context.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { ContactErased, lockContact } from '../contacts/public.ts'
import { RecipientSuppressed, announced } from './events.ts'
import { ensureKey, nameOf } from './suppression-key.ts'
import { type SuppressionRow, insertSuppressions } from './suppression-queries.ts'
import { type SuppressionDraft, requireSound } from './suppression.ts'

/**
 * Keeps that these subjects may not be contacted; answers those that this has changed. What holds already stays as it is:
 * a second opt-out only adds its channels. 400 for a kind or channels that the subject cannot have, 404 for a contact that
 * is not of this workspace, 409 `contact_erased` for one whose number is not known any more, 503 `suppressions_unreadable`
 * where the key cannot be opened.
 */
export const suppress = (ctx: Ctx, drafts: readonly SuppressionDraft[]): Promise<SuppressionRow[]> =>
  ctx.transaction((tx) => suppressIn(tx, drafts))

/** The same within a transaction. */
export async function suppressIn(tx: Tx, drafts: readonly SuppressionDraft[]): Promise<SuppressionRow[]> {
  for (const { subject } of drafts) if (subject.type === 'contact') await requireContact(tx, subject.value)
  const key = await ensureKey(tx)
  const at = tx.clock.now()
  const rows = new Map<string, Parameters<typeof insertSuppressions>[1][number]>()
  for (const draft of drafts) {
    const { kind, source } = draft
    const subject = nameOf(key, draft.subject)
    const place = `${subject} ${kind}`
    const channels = new Set([...(rows.get(place)?.channels ?? []), ...requireSound(draft)])
    const row = { id: newId(at), subject_type: draft.subject.type, subject, kind, source }
    rows.set(place, { ...row, channels: [...channels].toSorted() })
  }
  const ordered = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  const changed = await insertSuppressions(tx, ordered, tx.actor, at)
  for (const row of changed) await tx.emit(RecipientSuppressed, announced(row, row.source))
  return changed
}

/** Locked, so that an erasure of the contact either sees what is kept of it here or is seen. */
async function requireContact(tx: Tx, id: string): Promise<void> {
  const contact = await lockContact(tx, id)
  if (contact === undefined) throw ReferenceNotFound('contact')
  if (contact.erased_at !== null) throw ContactErased()
}
