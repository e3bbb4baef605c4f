import type pg from 'pg'
import { requireAccess } from '#kernel/db/access.ts'
import { knownMigrations } from '#kernel/migrate.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { type CheckFinding, failed, finding, fine, warning } from './finding.ts'

/** What PostgreSQL says about itself. */
export interface PostgresFacts {
  version: number
  readOnly: boolean
  encoding: string
  sizeBytes: number
  settings: Readonly<Record<string, string>>
}

const settingNames = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'max_connections',
  'shared_buffers',
] as const

async function readFacts(client: pg.Client): Promise<PostgresFacts> {
  const { rows } = await client.query<Omit<PostgresFacts, 'settings'>>(
    `select current_setting('server_version_num')::integer as version,
       pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as "readOnly",
       current_setting('server_encoding') as encoding, pg_database_size(current_database())::float8 as "sizeBytes"`,
  )
  const { rows: settings } = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any ($1)',
    [settingNames],
  )
  const [facts] = rows
  if (facts === undefined) throw new Error('PostgreSQL says nothing about itself.')
  return { ...facts, settings: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])) }
}

/** The least version, as `server_version_num`. */
const leastVersion = 150_000

/** One api server and one worker may use so many sessions. */
const leastConnections = 80

/** PostgreSQL's default, in pages of 8 kB. */
const defaultBuffers = 16_384

const gigabyte = 2 ** 30

/** The findings about the server: its version, and the settings on which acknowledged writes and speed depend. */
export function judgePostgres({
  version,
  readOnly,
  encoding,
  sizeBytes,
  settings,
}: PostgresFacts): CheckFinding[] {
  const shown = `${Math.floor(version / 10_000)}.${version % 10_000}`
  const is = (name: (typeof settingNames)[number], value: string) => settings[name] === value
  const unsafe = (['fsync', 'full_page_writes', 'synchronous_commit'] as const).filter((name) =>
    is(name, 'off'),
  )
  const connections = Number(settings['max_connections'])
  const faults = [
    ...(readOnly
      ? [
          failed(
            'The database is read-only.',
            'Let DATABASE_URL lead to the primary, and end its read-only mode.',
          ),
        ]
      : []),
    ...(encoding === 'UTF8'
      ? []
      : [
          failed(
            `The encoding is ${encoding}.`,
            'Create a database with the encoding UTF8, and restore a backup into it.',
          ),
        ]),
    ...(unsafe.length === 0
      ? []
      : [
          failed(
            `${unsafe.join(' and ')} ${unsafe.length === 1 ? 'is' : 'are'} off: a crash can lose what was acknowledged.`,
            `Set ${unsafe.map((name) => `${name} = on`).join(', ')} in postgresql.conf, and reload it.`,
          ),
        ]),
    ...(connections >= leastConnections
      ? []
      : [
          warning(
            `max_connections is ${connections}.`,
            `Set max_connections to ${leastConnections} for each api server and worker together, and restart PostgreSQL.`,
          ),
        ]),
    ...(Number(settings['shared_buffers']) <= defaultBuffers && sizeBytes > gigabyte
      ? [
          warning(
            `shared_buffers is ${Math.round(Number(settings['shared_buffers']) / 128)} MB for a database of ${Math.round(sizeBytes / gigabyte)} GB.`,
            'Set shared_buffers to a quarter of the memory of the database server, and restart PostgreSQL.',
          ),
        ]
      : []),
  ]
  return [
    finding(
      'postgresql',
      version >= leastVersion
        ? fine(`PostgreSQL ${shown}`)
        : failed(`PostgreSQL ${shown} is too old.`, 'Restore a backup into PostgreSQL 15 or newer.'),
    ),
    ...(faults.length === 0 ? [fine('Its settings are right.')] : faults).map((said) =>
      finding('postgresql_settings', said),
    ),
  ]
}

/** The findings about the server and what it has of Gable: migrations, roles, grants, and policies. */
export async function checkPostgres(client: pg.Client): Promise<CheckFinding[]> {
  const facts = judgePostgres(await readFacts(client))
  const pending = await pendingMigrations(client)
  const isCurrent = pending.length === 0
  const schema = isCurrent
    ? fine('All migrations are applied.')
    : failed(`${pending.length} migrations are not applied: ${pending.slice(0, 3).join(', ')}.`, migrate)
  return [
    ...facts,
    finding('schema', schema),
    ...(isCurrent ? [finding('access', await judgeAccess(client))] : []),
  ]
}

const migrate = 'Run: npm run -s gable -- migrate'

async function pendingMigrations(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query("select where to_regclass('public.migrations') is not null")
  const { rows } =
    found.length === 0 ? { rows: [] } : await client.query<{ name: string }>('select name from migrations')
  const applied = new Set(rows.map(({ name }) => name))
  return (await knownMigrations()).filter((name) => !applied.has(name))
}

async function judgeAccess(client: pg.Client) {
  try {
    await requireAccess(client)
    return fine('Roles, grants, and policies are complete.')
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    const isOutside = error.message.includes('must be in the roles')
    return failed(error.message, isOutside ? 'Run the statement that it names.' : migrate)
  }
}
