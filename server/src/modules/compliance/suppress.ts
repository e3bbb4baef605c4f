import type { Ctx, Tx } from '#kernel/context.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { ContactErased, lockContact, lockPersons } from '../contacts/public.ts'
import { recordSuppressions } from './record-suppressions.ts'
import { withFormer } from './retain-suppressions.ts'
import { ensureKey, nameOf } from './suppression-key.ts'
import type { SuppressionRow } from './suppression-queries.ts'
import {
  type SuppressionEntry,
  type Subject,
  type SuppressionDraft,
  channelsOf,
  requireSound,
} from './suppression.ts'

/**
 * Records that these subjects may not be contacted, and returns the suppressions that this added or changed. Active suppressions stay
 * as they are; a second opt-out only adds its channels. Throws 400 for a kind or channels that the subject cannot have, 404 for a
 * contact that is not in this workspace, 409 `contact_erased` for an erased contact, and 503 `suppressions_unreadable` if the key
 * cannot be opened.
 */
export const suppress = (ctx: Ctx, drafts: readonly SuppressionDraft[]): Promise<SuppressionRow[]> =>
  ctx.transaction((tx) => suppressIn(tx, drafts))

/** Like `suppress`, within a transaction. */
export async function suppressIn(tx: Tx, drafts: readonly SuppressionDraft[]): Promise<SuppressionRow[]> {
  const persons = personsOf(drafts)
  await lockPersons(tx, persons)
  for (const id of persons.contactIds) await requireContact(tx, id)
  const now = tx.clock.now()
  const entries = drafts.map(({ since = now, ...draft }): SuppressionEntry => ({
    ...draft,
    channels: requireSound(draft),
    created_at: since.toISOString(),
  }))
  return record(tx, entries)
}

/** The contacts and points that the drafts are about, for `lockPersons`. */
export function personsOf(drafts: readonly SuppressionDraft[]) {
  const subjects = drafts.map(({ subject }) => subject)
  return {
    contactIds: subjects.filter((subject) => subject.type === 'contact').map(({ value }) => value),
    points: subjects.filter((subject) => subject.type !== 'contact'),
  }
}

/**
 * Records that the person behind these subjects has revoked every consent given until now. The caller holds the person's locks. Throws
 * 503 `suppressions_unreadable` if the key cannot be opened.
 */
export async function recordRevocation(tx: Tx, subjects: readonly Subject[]): Promise<void> {
  const created_at = tx.clock.now().toISOString()
  await record(
    tx,
    subjects.map((subject) => ({
      subject,
      kind: 'consent_revoked',
      channels: channelsOf(subject.type),
      source: 'revocation',
      created_at,
    })),
  )
}

async function record(tx: Tx, entries: readonly SuppressionEntry[]): Promise<SuppressionRow[]> {
  const key = await ensureKey(tx)
  const named = new Set(entries.map(({ subject }) => nameOf(key, subject)))
  const changed = await recordSuppressions(tx, key, await withFormer(tx.unrestricted(), entries))
  return changed.filter(({ subject }) => named.has(subject))
}

async function requireContact(tx: Tx, id: string): Promise<void> {
  const contact = await lockContact(tx, id)
  if (contact === undefined) throw ReferenceNotFound('contact_id')
  if (contact.erased_at !== null) throw ContactErased()
}
