import type { Tx } from '#kernel/context.ts'
import { queueRemoval } from './jobs.ts'
import { lockFile, saveFile } from './queries.ts'

/** From the commit on, no one can read the file. Its content is removed afterwards, by a job that tries until it is. */
export async function eraseFile(tx: Tx, id: string): Promise<void> {
  const file = await lockFile(tx, id)
  if (file === undefined || file.erased_at !== null) return
  saveFile(tx, id, { name: null, erased_at: tx.clock.now().toISOString() })
  queueRemoval(tx, id)
}
