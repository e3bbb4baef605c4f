import { type Database, openDatabase } from '#kernel/db/database.ts'
import { createLog } from '#kernel/log.ts'
import { isWorkerDatabase } from './database.ts'

const kept = new Map<string, Database>()

/**
 * The connections to a database that this worker's apps and commands share, unless a test brings a database, a log, or
 * a timeout of its own. A new connection plans every statement again, which would take PostgreSQL longer than the tests
 * themselves. A busy machine may keep callers waiting for a connection.
 */
export function keptDatabase(url: string): Database {
  const database =
    kept.get(url) ?? openDatabase({ url, log: createLog('silent'), checked: true, connectTimeoutMs: 60_000 })
  kept.set(url, database)
  return { ...database, [Symbol.asyncDispose]: () => Promise.resolve() }
}

/** Closes the connections to all databases but the worker's: each of the others belongs to one test file. */
export async function closeKeptDatabases(): Promise<void> {
  for (const [url, database] of kept)
    if (!isWorkerDatabase(url)) {
      kept.delete(url)
      await database[Symbol.asyncDispose]()
    }
}
