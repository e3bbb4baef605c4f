import pg from 'pg'
import { requireAccess } from '#kernel/db/access.ts'
import { knownMigrations } from '#kernel/migrate.ts'
import { OperatorError } from '#kernel/operator-error.ts'

/**
 * Connects to the database at DATABASE_URL. Throws `OperatorError` with the reason in one sentence. At startup, an
 * unreachable database is a configuration error; later, it is an outage to wait out. The message contains the address
 * but never the password.
 */
export async function reachDatabase(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'gable command',
    connectionTimeoutMillis: 5000,
  })
  try {
    await client.connect()
    return client
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const reason = cause instanceof pg.DatabaseError ? message : (code ?? message)
    throw new OperatorError(
      `Cannot reach the database of DATABASE_URL at ${client.host}:${client.port}: ${reason}.`,
      { cause },
    )
  }
}

/**
 * Throws `OperatorError` unless the schema has all migrations that this program knows, and the roles, grants, and policies
 * that it needs. `ahead`: an older schema is fine, because the process waits for the migration. Returns whether the schema
 * has all migrations.
 */
export async function requireMigrated(url: string, { ahead = false } = {}): Promise<boolean> {
  const client = await reachDatabase(url)
  try {
    const { rows } = await client.query<{ present: boolean }>(
      "select to_regclass('public.migrations') is not null as present",
    )
    const applied = rows[0]?.present
      ? (await client.query<{ name: string }>('select name from migrations')).rows
      : []
    const names = new Set(applied.map(({ name }) => name))
    if ((await knownMigrations()).every((name) => names.has(name))) {
      await requireAccess(client)
      return true
    }
    if (ahead) return false
    const state = names.size === 0 ? 'empty' : 'older than this program'
    throw new OperatorError(`The database is ${state}. Bring it up to date with: npm run -s gable -- migrate`)
  } finally {
    await client.end()
  }
}
