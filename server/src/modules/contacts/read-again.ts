import type { Tx } from '#kernel/context.ts'
import { readingAgain } from '../workspaces/public.ts'
import { pointsOf } from './contact-points.ts'
import { insertPoints, listContactPoints, listPresentPoints, markDoubles } from './point-queries.ts'
import { listContactsById, listToReadAgain, lockPoints, lockToReadAgain, saveReadAgain } from './queries.ts'

/**
 * Reads the phones and names that earlier versions stored as they would be read today: the number in E.164 with its
 * extension, the columns that `q` searches, and the point of a phone that was not readable before. Publishes nothing and
 * makes no new versions.
 */
async function readBatch(tx: Tx, limit: number): Promise<number> {
  const next = await listToReadAgain(tx, limit)
  const phonesOf = ({ phone }: { phone: string | null }) => pointsOf({ phone, email: null })
  lockPoints(tx, next.flatMap(phonesOf))
  const held = await lockToReadAgain(
    tx,
    next.map(({ id }) => id),
  )
  saveReadAgain(tx, held)
  const known = await listContactPoints(tx, { contactIds: held.map(({ id }) => id), points: [] })
  const had = new Set(known.map(({ contact_id, value }) => `${contact_id} ${value}`))
  for (const { id, owner_id, ...contact } of held) {
    const added = phonesOf(contact).filter(({ value }) => !had.has(`${id} ${value}`))
    if (added.length === 0) continue
    const present = await listPresentPoints(tx, added)
    const [first] = await listContactsById(
      tx,
      present.map(({ contact_id }) => contact_id),
    )
    insertPoints(tx, id, added, 'contact', tx.clock.now().toISOString())
    // As for all points that earlier versions stored: the contact that came later takes nothing over.
    if (first !== undefined && first.owner_id !== owner_id) markDoubles(tx, id, added)
  }
  return next.length
}

export const { job: readContactsAgain, readAgain } = readingAgain('contacts', readBatch)
