import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
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
    const applied = (await isCurrent(client, folder)) ? [] : await applyPending(client, folder)
    await migrateJobs(client, url)
    await client.query('grant select on migrations to gable_app')
    return applied
  } finally {
    await client.end()
  }
}

/** Whether exactly the folder's migrations have been applied. */
async function isCurrent(client: pg.Client, folder: string): Promise<boolean> {
  const { rows: found } = await client.query("select where to_regclass('migrations') is not null")
  if (found.length === 0) return false
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const applied = rows.map(({ name }) => name).sort()
  return applied.join() === (await knownMigrations(folder)).join()
}

async function applyPending(client: pg.Client, folder: string): Promise<string[]> {
  // Most starts have nothing to apply.
  const { runner } = await import('node-pg-migrate')
  const applied = await runner({
    dbClient: client,
    dir: folder,
    direction: 'up',
    migrationsTable: 'migrations',
    noLock: true,
    singleTransaction: false,
    log: () => undefined,
  })
  return applied.map((migration) => migration.name)
}

/** The names of this version's migrations, in order. */
export async function knownMigrations(folder = ownFolder): Promise<string[]> {
  const files = await readdir(folder)
  return files.map((file) => file.replace(/\.sql$/, '')).sort()
}
