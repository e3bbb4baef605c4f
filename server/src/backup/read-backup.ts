import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Clock } from '#kernel/clock.ts'
import { knownMigrations, migrate } from '#kernel/migrate.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import type { FileStore } from '../modules/files/public.ts'
import {
  copiedStatement,
  holdingStatement,
  isOwnSecret,
  wrongSecret,
} from '../modules/installation/public.ts'
import { copyIn } from './copy.ts'
import { type BackupReader, type Header, type BackupPart, openReader } from './format.ts'
import { identifier, listTables, nameInSql } from './tables.ts'

interface RestoreOptions {
  /** Of a user who may migrate. */
  url: string
  path: string
  keys: KeyRing
  files: FileStore
  clock: Clock
  onProgress: (bytes: number, files: number) => void
}

/** From this migration on, a database knows which installation it is a copy of. */
const copiesMigration = '0051_copies'

export interface RestoreReport {
  file: string
  taken_at: string
  rows: number
  files: number
  /** Files without content, or that the bucket does not have. */
  missing: number
}

/**
 * Restores a backup into an empty database, and its files. The database is restored in one transaction: whole or not at all.
 * Throws `OperatorError`, before it writes anything, for a backup that needs another application secret or a newer version.
 */
export async function readBackup({
  url,
  path,
  keys,
  files,
  clock,
  onProgress,
}: RestoreOptions): Promise<RestoreReport> {
  const reader = await openReader(path)
  const header = await reader.next()
  if (header.part !== 'header') throw new OperatorError(`${path} is not a backup of Gable.`)
  if (!isOwnSecret(keys, Buffer.from(header.secret_check, 'base64')))
    throw wrongSecret('The backup is of a server with another APP_SECRET')
  const known = await knownMigrations()
  const newer = header.migrations.filter((name) => !known.includes(name))
  if (newer.length > 0)
    throw new OperatorError(
      `${path} is of a newer version of Gable: this one does not know ${newer.join(', ')}. Install that version or a later one.`,
    )
  const client = new pg.Client({ connectionString: url, application_name: 'gable restore' })
  await client.connect()
  try {
    await requireEmpty(client, header)
    // As far as the version of the backup, whose tables have its columns. The rest follows when they are filled.
    await migrate(url, { upTo: header.migrations.length })
    await client.query(
      "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = 'UTC'",
    )
    await client.query('begin')
    const rebuild = await stripTables(client)
    await emptyTables(client)
    const after = await loadTables(client, reader, onProgress)
    for (const statement of rebuild) await client.query(statement)
    await settleJobs(client)
    const at = clock.now().toISOString()
    await client.query(holdingStatement({ from: header.taken_at, to: at }))
    const knowsCopies = header.migrations.includes(copiesMigration)
    if (knowsCopies) await client.query(copiedStatement(at))
    await client.query('commit')
    await client.query('analyze')
    await migrate(url)
    if (!knowsCopies) await client.query(copiedStatement(at))
    const report = await loadFiles(reader, after, header, files, onProgress)
    return { file: path, taken_at: header.taken_at, ...report }
  } finally {
    await client.end()
  }
}

/** A database that has seen a start with demo data, or real work, is not one to restore into. */
async function requireEmpty(client: pg.Client, { migrations }: Header): Promise<void> {
  const there = async (table: string) =>
    (await client.query('select where to_regclass($1) is not null', [`public.${table}`])).rowCount === 1
  if (!(await there('migrations'))) return
  const applied = (await client.query<{ name: string }>('select name from migrations order by name')).rows
  const isSame = applied.map(({ name }) => name).join() === migrations.join()
  const used = (await there('workspaces')) && (await client.query('select from workspaces limit 1')).rowCount
  if (used !== 0 || !isSame)
    throw new OperatorError(
      'The database is not empty. Restore into a new one: create a database, or set DATA_DIR to a new folder.',
    )
}

/**
 * Drops foreign keys and indexes, so that tables can be filled quickly and in any order, and lets the owner past row-level
 * security. Returns the statements that put everything back.
 */
async function stripTables(client: pg.Client): Promise<string[]> {
  const inOurs = (oid: string) =>
    `${oid} in (select c.oid from pg_class c join pg_namespace n on n.oid = relnamespace where nspname in ('public', 'graphile_worker'))`
  const { rows } = await client.query<{ drop: string; rebuild: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as rebuild, 2 as place
     from pg_constraint where contype = 'f' and ${inOurs('conrelid')}
     union all
     select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 1 from pg_index
     where ${inOurs('indrelid')} and not exists (select from pg_constraint where conindid = indexrelid)
     union all
     select format('alter table %s no force row level security', oid::regclass),
       format('alter table %s force row level security', oid::regclass), 3
     from pg_class where relforcerowsecurity and ${inOurs('oid')}
     order by place desc`,
  )
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ rebuild }) => rebuild).toReversed()
}

/** Removes what a server that has started on the empty database has left. */
async function emptyTables(client: pg.Client): Promise<void> {
  const tables = (await listTables(client)).map(nameInSql).join(', ')
  const { rows } = await client.query<{ statement: string }>(
    "select format('truncate %s', $1::text) as statement",
    [tables],
  )
  for (const { statement } of rows) await client.query(statement)
}

/** Fills the tables. Returns the first part after them. */
async function loadTables(
  client: pg.Client,
  reader: BackupReader,
  onProgress: RestoreOptions['onProgress'],
): Promise<BackupPart> {
  let bytes = 0
  async function* counted() {
    for await (const chunk of reader.content()) {
      bytes += chunk.length
      onProgress(bytes, 0)
      yield chunk
    }
  }
  for (;;) {
    const part = await reader.next()
    if (part.part !== 'table') return part
    // Earlier versions made some migrations with columns that no version reads anymore.
    const { rows } = await client.query<{ name: string }>(
      `select name from unnest($2::text[]) as name where not exists (
         select from pg_attribute where attrelid = $1::regclass and attname = name and not attisdropped)`,
      [nameInSql(part), part.columns],
    )
    const change = (how: (column: string) => string) =>
      rows.length === 0
        ? undefined
        : client.query(
            `alter table ${nameInSql(part)} ${rows.map(({ name }) => how(identifier(name))).join(', ')}`,
          )
    await change((column) => `add column ${column} text`)
    await copyIn(
      client,
      `copy ${nameInSql(part)} (${part.columns.map(identifier).join(', ')}) from stdin`,
      counted(),
    )
    await change((column) => `drop column ${column}`)
  }
}

/** A job that ran when the snapshot was taken is free again, and numbers continue after those in use. */
async function settleJobs(client: pg.Client): Promise<void> {
  await client.query('update graphile_worker._private_jobs set locked_at = null, locked_by = null')
  await client.query('update graphile_worker._private_job_queues set locked_at = null, locked_by = null')
  const { rows } = await client.query<{ statement: string }>(
    `select format('select setval(%L, greatest((select max(%I) from %s), 1))',
       pg_get_serial_sequence(attrelid::regclass::text, attname), attname, attrelid::regclass) as statement
     from pg_attribute join pg_class c on c.oid = attrelid and relkind = 'r'
     where relnamespace = 'graphile_worker'::regnamespace and attnum > 0 and not attisdropped
       and pg_get_serial_sequence(attrelid::regclass::text, attname) is not null`,
  )
  for (const { statement } of rows) await client.query(statement)
}

/** Stores the files. With a bucket, only looks whether it has them. */
async function loadFiles(
  reader: BackupReader,
  first: BackupPart,
  { bucket }: Header,
  files: FileStore,
  onProgress: RestoreOptions['onProgress'],
): Promise<Pick<RestoreReport, 'rows' | 'files' | 'missing'>> {
  let stored = 0
  let missing = 0
  for (let part = first; ; part = await reader.next()) {
    if (part.part === 'end') return { rows: part.rows, files: stored, missing }
    if (part.part !== 'file')
      throw new OperatorError('The backup has a part that this version does not know.')
    const place = { workspaceId: part.workspace, fileId: part.file }
    const hash = createHash('sha256')
    if (!bucket) await files.put(place, hashed(reader.content(), hash))
    else for await (const _ of reader.content());
    const isThere = bucket ? await hasContent(files, place, part.size) : hash.digest('hex') === part.sha256
    if (isThere) stored++
    else {
      missing++
      if (!bucket) await files.delete(place)
    }
    onProgress(0, stored)
  }
}

async function* hashed(content: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}

async function hasContent(
  files: FileStore,
  place: { workspaceId: string; fileId: string },
  size: number,
): Promise<boolean> {
  const found = await files.get(place, size > 0 ? { first: 0, last: 0 } : undefined)
  found?.destroy()
  return found !== undefined
}
