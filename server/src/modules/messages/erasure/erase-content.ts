import type { Tx } from '#kernel/context.ts'
import { eraseFile } from '../../files/public.ts'
import { eraseMessagesById } from './queries.ts'
import { queueRemovals } from './removal-queries.ts'

/**
 * Erases the content of these messages, with their files, here and then at their providers. Returns how many had not
 * been erased before.
 */
export async function eraseContent(tx: Tx, ids: readonly string[], at: string): Promise<number> {
  const erased = await eraseMessagesById(tx, ids, at)
  queueRemovals(tx, erased, at)
  const files = erased.flatMap(({ media }) => media.map(({ id }) => id)).toSorted()
  for (const id of files) await eraseFile(tx, id)
  return erased.length
}
