import type { Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { type Point, listContactPoints } from '../contacts/public.ts'
import { RecipientSuppressed, announced } from './events.ts'
import { recordSuppressed } from './ledger/record-entries.ts'
import { nameOf } from './suppression-key.ts'
import { type NewSuppression, type SuppressionRow, insertSuppressions } from './suppression-queries.ts'
import type { Subject, SuppressionEntry } from './suppression.ts'

/**
 * Writes the suppressions that are not active yet, or not for all their channels, and a consent ledger entry for each change. Merges
 * entries of the same subject and kind into one row. Returns the rows that changed. The caller holds the persons' locks.
 */
export async function recordSuppressions(
  tx: Tx,
  key: Buffer,
  entries: readonly SuppressionEntry[],
): Promise<SuppressionRow[]> {
  if (entries.length === 0) return []
  const rows = new Map<string, NewSuppression & { contactId: string | null }>()
  for (const { subject: named, kind, source, channels, created_at, contactId = null } of entries) {
    const subject = nameOf(key, named)
    const place = `${subject} ${kind}`
    const before = rows.get(place)
    rows.set(place, {
      id: before?.id ?? newId(tx.clock.now()),
      subject_type: named.type,
      subject,
      kind,
      source: before?.source ?? source,
      contactId: before?.contactId ?? contactId,
      channels: [...new Set([...(before?.channels ?? []), ...channels])].toSorted(),
      created_at: before === undefined || before.created_at < created_at ? created_at : before.created_at,
    })
  }
  const ordered = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  const changed = await insertSuppressions(tx, ordered, tx.actor)
  recordSuppressed(
    tx,
    changed.map((row) => {
      const { source, contactId } = rows.get(`${row.subject} ${row.kind}`) ?? {
        source: row.source,
        contactId: null,
      }
      return { row, source, contactId }
    }),
  )
  const concerned = await contactsBehind(
    tx,
    entries.map(({ subject }) => subject),
  )
  const subjects = new Map(entries.map(({ subject }) => [nameOf(key, subject), subject]))
  for (const row of changed) {
    const contact_ids = concerned(subjects.get(row.subject))
    if (row.kind !== 'consent_revoked')
      await tx.emit(RecipientSuppressed, { ...announced(row, row.source), contact_ids })
  }
  return changed
}

/** Finds the contacts behind subjects: those that have the number or address now, or the contact that is the subject. */
async function contactsBehind(tx: Tx, subjects: readonly Subject[]) {
  const points = subjects.filter((subject) => subject.type !== 'contact')
  const known = await listContactPoints(tx.unrestricted(), { contactIds: [], points })
  const present = known.filter(({ former_since }) => former_since === null)
  const holders = Map.groupBy(present, ({ value }) => value)
  return (subject: Subject | undefined): string[] => {
    if (subject?.type === 'contact') return [subject.value]
    return (holders.get((subject?.value ?? '') as Point['value']) ?? []).map(({ contact_id }) => contact_id)
  }
}
