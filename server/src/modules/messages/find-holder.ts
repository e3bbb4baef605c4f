import type { Db } from '#kernel/db/handles.ts'
import { type Contact, type Point, isDouble, listHolders } from '../contacts/public.ts'
import { findLastWrittenTo } from './conversations/conversation-queries.ts'

/**
 * Finds the contact that a message or call belongs to: its conversation, timeline, evidence, and AI. That is the named
 * contact, unless its point is a double; else the holder of the point. Of several holders, such as a household, it is
 * the one in `before`, else the one that the sender last wrote to, else the one that changed last. Undefined if no
 * contact has the point. `db` must have unlimited reach.
 */
export async function findHolder(
  db: Db,
  {
    points,
    senderOf,
    named,
    before = null,
  }: {
    points: readonly Point[]
    /** Finds the sender, which matters only among several holders. */
    senderOf: () => Promise<string | null>
    named?: Contact | undefined
    before?: string | null
  },
): Promise<Contact | undefined> {
  const [point] = points
  if (named !== undefined && (point === undefined || !(await isDouble(db, named.id, point)))) return named
  const holders = await listHolders(db, points)
  if (holders.length < 2) return holders[0] ?? named
  const ids = holders.map(({ id }) => id)
  const last =
    before !== null && ids.includes(before)
      ? before
      : await findLastWrittenTo(db, { senderId: await senderOf(), points, contactIds: ids })
  const [latest] = holders.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))
  return holders.find(({ id }) => id === last) ?? latest
}
