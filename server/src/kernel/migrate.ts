import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { ensureRoles, restoreAccess } from './db/access.ts'
import { sessionLock } from './db/lock.ts'
import { migrateJobs } from './jobs/migrate-jobs.ts'
import { OperatorError } from './operator-error.ts'

const ownFolder = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Creates missing roles, applies pending migrations, then those of the job queue, and grants again what is missing: a
 * database that was restored where the roles did not exist has lost its grants and policies. Concurrent calls wait for
 * each other. Each migration is one transaction and fails if it waits one second for a lock, so that it does not block
 * live traffic. `url` must be for a superuser or for the schema's owner, and the owner must be in the roles or have
 * CREATEROLE. `upTo`: applies migrations until so many are
 * applied. Returns the names of the applied migrations.
 */
export async function migrate(
  url: string,
  { folder = ownFolder, upTo }: { folder?: string; upTo?: number } = {},
): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'gable migrate',
    options: '-c client_min_messages=warning',
  })
  await client.connect()
  try {
    await client.query(sessionLock('migrate'))
    await client.query('set lock_timeout = 1000')
    await ensureRoles(client)
    const applied = (await isCurrent(client, folder)) ? [] : await applyPending(client, folder, upTo)
    await migrateJobs(client, url)
    await client.query('grant select on migrations to gable_app')
    // What the other migrations will grant cannot be missing yet.
    if (upTo === undefined) await restoreAccess(client)
    return applied
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError) || cause.code !== '42501') throw cause
    throw mayNotChange(cause.message)
  } finally {
    await client.end()
  }
}

const mayNotChange = (reason: string) =>
  new OperatorError(
    `The user of DATABASE_URL may not change the schema: ${reason}. Migrate as a superuser, or as the owner of the database and of everything in it.`,
  )

async function requireMayCreate(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ place: string }>(
    `select 'the database ' || current_database() as place where not has_database_privilege(current_database(), 'create')
     union all select 'the schema public' where not has_schema_privilege('public', 'create')`,
  )
  if (rows.length > 0)
    throw mayNotChange(`it may not create anything in ${rows.map(({ place }) => place).join(' and ')}`)
}

/** Whether exactly the folder's migrations have been applied. */
async function isCurrent(client: pg.Client, folder: string): Promise<boolean> {
  const { rows: found } = await client.query("select where to_regclass('migrations') is not null")
  if (found.length === 0) return false
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const applied = rows.map(({ name }) => name).sort()
  return applied.join() === (await knownMigrations(folder)).join()
}

async function applyPending(client: pg.Client, folder: string, upTo = Infinity): Promise<string[]> {
  const done = upTo === Infinity ? 0 : await countApplied(client)
  if (done >= upTo) return []
  await requireMayCreate(client)
  // Most starts have nothing to apply.
  const { runner } = await import('node-pg-migrate')
  const applied = await runner({
    dbClient: withoutRoles(client),
    dir: folder,
    direction: 'up',
    count: upTo - done,
    migrationsTable: 'migrations',
    noLock: true,
    singleTransaction: false,
    log: () => undefined,
  })
  return applied.map((migration) => migration.name)
}

async function countApplied(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('migrations') is not null as exists",
  )
  if (rows[0]?.exists !== true) return 0
  return (await client.query('select from migrations')).rowCount ?? 0
}

/**
 * A client that leaves out what the first migration says about roles: `ensureRoles` has done it, and not every user may
 * repeat it.
 */
const withoutRoles = (client: pg.Client): pg.Client =>
  Object.assign(Object.create(client) as pg.Client, {
    query: (text: string, values?: unknown[]) =>
      client.query(typeof text === 'string' ? cutRoles(text) : text, values),
  })

/** Cuts the block that creates roles, and the membership of one role in another. */
function cutRoles(text: string): string {
  const at = text.indexOf("execute format('create role")
  if (at < 0) return text
  const rest =
    text.slice(0, text.lastIndexOf('do $$', at)) + text.slice(text.indexOf('$$;', at) + '$$;'.length)
  return rest.replace('\ngrant gable_app to gable_member;\n', '\n')
}

/** The names of this version's migrations, in order. */
export async function knownMigrations(folder = ownFolder): Promise<string[]> {
  const files = await readdir(folder)
  return files.map((file) => file.replace(/\.sql$/, '')).sort()
}
