import type { Tx } from '#kernel/context.ts'
import { queueRemoval } from './jobs.ts'
import { lockFile, saveFile } from './queries.ts'

/** Makes the file unreadable as of the commit. A job, which retries until it succeeds, then deletes the content. */
export async function eraseFile(tx: Tx, id: string): Promise<void> {
  const file = await lockFile(tx, id)
  if (file === undefined || file.erased_at !== null) return
  saveFile(tx, id, { name: null, expires_at: null, erased_at: tx.clock.now().toISOString() })
  queueRemoval(tx, id)
}
