import { type Postmaster, findPostmaster, isPostmaster, stopPostmaster } from './postmaster.ts'
import { type Session, connect, countOthers, endSession } from './session.ts'
import type { Site } from './site.ts'

/**
 * Ends the session, and PostgreSQL with it unless other connections of Gable are open. The caller holds the lock:
 * nobody can join between the answer and the end.
 */
export async function stopUnlessUsed(
  site: Site,
  last: Postmaster,
  session: Session | undefined,
): Promise<void> {
  const others = await askOthers(session)
    .catch(async () => askOthers(await connect(site, last.port)))
    .catch(() => 0)
  if (others > 0) return site.log(`PostgreSQL keeps running for other connections of Gable (${others}).`)
  // Not by its pid file alone, which is gone when the data was deleted under it.
  const postmaster = (await findPostmaster(site)) ?? (isPostmaster(site, last.pid) ? last : undefined)
  if (postmaster !== undefined) await stopPostmaster(site, postmaster)
}

/** Ends the session with the answer. */
async function askOthers(session: Session | undefined): Promise<number> {
  if (session === undefined) throw new Error('No connection to ask on.')
  try {
    session.client.ref()
    return await countOthers(session)
  } finally {
    await endSession(session)
  }
}
