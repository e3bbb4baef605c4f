import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { migrateJobs } from './jobs/migrate-jobs.ts'

const directory = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings the schema up to date: ours, then the job queue's. Many may call it at once: one works, the others wait.
 * Each migration is a transaction of its own and gives up after a second of waiting for a lock, so that it never
 * queues live traffic behind itself. Needs the owner of the schema. Answers the names of what it applied.
 */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'gable migrate',
    options: '-c client_min_messages=warning',
  })
  await client.connect()
  try {
    await client.query("select pg_advisory_lock(hashtext('gable migrate'))")
    await client.query('set lock_timeout = 1000')
    const applied = await runner({
      dbClient: client,
      dir: directory,
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

/** Names of the migrations that this program brings, in order. */
export async function knownMigrations(): Promise<string[]> {
  const files = await readdir(directory)
  return files.map((file) => file.replace(/\.sql$/, '')).sort()
}
