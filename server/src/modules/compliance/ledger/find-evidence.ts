import type { Ctx } from '#kernel/context.ts'
import { type Contact, listContactPoints } from '../../contacts/public.ts'
import { findAgainst } from '../find-suppressions.ts'
import { findKey, nameOf } from '../suppression-key.ts'
import { type SuppressionRow, listHeld } from '../suppression-queries.ts'
import type { LedgerEntry } from './ledger-entry.ts'
import { type Link, findHead, listEntriesAbout, listLinksOf } from './ledger-queries.ts'

/** What the ledger records about a contact. */
export interface LedgerEvidence {
  /** Newest first. `link` is undefined until the entry is chained. */
  entries: { entry: LedgerEntry; link: Link | undefined }[]
  /** False if `limit` cut off older entries. */
  isComplete: boolean
  head: Link | undefined
  /** The suppressions in effect now. */
  suppressions: SuppressionRow[]
}

/**
 * Finds entries about the contact and about the numbers and addresses that are or were its own, and its active suppressions. An erased
 * contact no longer has numbers, so this uses the hashes in its own entries, and ignores what was recorded about them after the erasure.
 * A masked caller sees only the entries that do not reveal whose number it is.
 */
export async function findLedgerEvidence(
  caller: Ctx,
  contact: Contact,
  limit: number,
): Promise<LedgerEvidence> {
  const ctx = caller.unrestricted()
  const { db } = ctx
  const { id: contactId, erased_at } = contact
  const key = await findKey(ctx)
  const points = await listContactPoints(db, { contactIds: [contactId], points: [] })
  const subjects =
    erased_at === null
      ? points.filter(({ elsewhere }) => !elsewhere).map((point) => key && nameOf(key, point))
      : (await listEntriesAbout(db, { contactId, subjects: [] }, limit)).map(({ subject }) => subject)
  const known = [...new Set(subjects)].filter((one) => typeof one === 'string')
  const found = await listEntriesAbout(db, { contactId, subjects: known }, limit + 1)
  const isOwn = ({ contact_id, at }: LedgerEntry) =>
    contact_id === contactId || erased_at === null || at <= erased_at
  const entries = found
    .slice(0, limit)
    .filter((entry) => isOwn(entry) && (!caller.masked || mayShow(caller, contactId, entry)))
  const links = await listLinksOf(
    db,
    entries.map(({ id }) => id),
  )
  const linkOf = new Map(links.map((link) => [link.entry_id, link]))
  const held = await heldAgainst(ctx, contact, points, known)
  return {
    entries: entries.map((entry) => ({ entry, link: linkOf.get(entry.id) })),
    isComplete: found.length <= limit,
    head: await findHead(db),
    suppressions: held.filter(
      (row) => row.kind !== 'consent_revoked' && (!caller.masked || isAnyones(row.subject_type, row.source)),
    ),
  }
}

async function heldAgainst(
  ctx: Ctx,
  { id, erased_at }: Contact,
  points: Awaited<ReturnType<typeof listContactPoints>>,
  known: readonly string[],
): Promise<SuppressionRow[]> {
  if (erased_at !== null)
    return (await listHeld(ctx.db, [id, ...known])).filter(({ created_at }) => created_at <= erased_at)
  const present = points.filter(({ former_since, elsewhere }) => former_since === null && !elsewhere)
  const recipient = { points: present, contactId: id }
  const rows = (await findAgainst(ctx, [recipient]))(recipient)
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

/**
 * Whether a masked credential may see an entry or a suppression. It may if this is about the contact itself, or came from the person or
 * their carrier. Anything else may be what the credential itself recorded about a number, which would reveal whose number it is.
 */
const isAnyones = (subjectType: string | null, source: string): boolean =>
  subjectType === 'contact' || source === 'inbound' || source === 'carrier' || source === 'system'

function mayShow({ actor }: Ctx, contactId: string, entry: LedgerEntry): boolean {
  if (entry.contact_id !== contactId) return false
  const isTheirs = entry.actor.id !== null && entry.actor.id === actor.id
  if (entry.kind === 'consent_captured' || entry.kind === 'consent_revoked') return !isTheirs
  return isAnyones(entry.subject_type, entry.source)
}
