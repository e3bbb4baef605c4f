import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { sessionLock } from './db/lock.ts'
import { migrateJobs } from './jobs/migrate-jobs.ts'

const ownFolder = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Applies pending migrations, then those of the job queue. Concurrent calls wait for each other. Each migration is
 * one transaction and fails if it waits one second for a lock, so that it does not block live traffic. `url` must be
 * for the schema's owner. Returns the names of the applied migrations.
 */
export async function migrate(url: string, folder = ownFolder): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'gable migrate',
    options: '-c client_min_messages=warning',
  })
  await client.connect()
  try {
    await client.query(sessionLock('migrate'))
    await client.query('set lock_timeout = 1000')
    const applied = await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable: 'migrations',
      noLock: true,
      singleTransaction: false,
      log: () => undefined,
    })
    await migrateJobs(client, url)
    await client.query('grant select on migrations to gable_app')
    return applied.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** The names of this version's migrations, in order. */
export async function knownMigrations(): Promise<string[]> {
  const files = await readdir(ownFolder)
  return files.map((file) => file.replace(/\.sql$/, '')).sort()
}
