import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Clock } from '#kernel/clock.ts'
import { appRole } from '#kernel/db/tenant.ts'
import type { FileStore } from '../modules/files/public.ts'
import { copyOut } from './copy.ts'
import { type BackupWriter, openWriter } from './format.ts'
import { identifier, listTables, nameInSql } from './tables.ts'

interface BackupOptions {
  /** A connection of its own, with a user that is in the server's roles. */
  client: pg.Client
  path: string
  files: FileStore
  /** Files in a bucket are listed, not copied. */
  bucket: boolean
  secretCheck: Buffer
  clock: Clock
  onProgress: (rows: number, files: number) => void
}

export interface BackupReport {
  file: string
  bytes: number
  rows: number
  files: number
  /** Files whose content was gone or differs from its hash. */
  missing: number
  taken_at: string
}

/**
 * Writes the database and its files to a new file, from one snapshot, while servers run. Acts as the server's role, and so
 * reads one workspace at a time: to anyone else, row-level security may show no rows at all.
 */
export async function writeBackup(options: BackupOptions): Promise<BackupReport> {
  const writer = await openWriter(options.path)
  try {
    return await write(options, writer)
  } catch (error) {
    await writer.discard()
    throw error
  }
}

async function write(
  { client, path, files, bucket, secretCheck, clock, onProgress }: BackupOptions,
  writer: BackupWriter,
): Promise<BackupReport> {
  await client.query(
    `set role ${appRole}; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = 'UTC'`,
  )
  // Before the snapshot: what comes after this time may be missing.
  const taken_at = clock.now().toISOString()
  await client.query('begin isolation level repeatable read, read only')
  const names = (text: string) =>
    client.query<{ name: string }>(text).then(({ rows }) => rows.map(({ name }) => name))
  const migrations = await names('select name from migrations order by name')
  const workspaces = await names('select id as name from workspaces order by id')
  await writer.begin({
    part: 'header',
    taken_at,
    migrations,
    secret_check: secretCheck.toString('base64'),
    bucket,
  })
  const enter = (id: string) => client.query("select set_config('gable.workspace_id', $1, true)", [id])
  let rows = 0
  let copied = 0
  let missing = 0
  for (const table of await listTables(client)) {
    const columns = table.columns.map(identifier).join(', ')
    const copy = async (from: string) => {
      rows += await copyOut(client, `copy ${from} to stdout`, writer.write)
      onProgress(rows, copied)
    }
    await writer.begin({ part: 'table', schema: table.schema, table: table.table, columns: table.columns })
    if (table.ofWorkspaces) {
      for (const id of workspaces) {
        await enter(id)
        await copy(`(select ${columns} from ${nameInSql(table)} where workspace_id = '${id}')`)
      }
    } else await copy(`(select ${columns} from ${nameInSql(table)})`)
    await writer.close()
  }
  for (const id of workspaces) {
    await enter(id)
    const { rows: stored } = await client.query<{ id: string; size: string; sha256: string }>(
      'select id, size, sha256 from files where workspace_id = $1 and stored_at is not null and erased_at is null order by id',
      [id],
    )
    for (const file of stored) {
      await writer.begin({
        part: 'file',
        workspace: id,
        file: file.id,
        size: Number(file.size),
        sha256: file.sha256,
      })
      if (!bucket && !(await copyFile(files, { workspaceId: id, fileId: file.id }, file.sha256, writer)))
        missing++
      await writer.close()
      onProgress(rows, ++copied)
    }
  }
  await client.query('commit')
  await writer.begin({ part: 'end', rows, files: copied })
  return { file: path, bytes: await writer.finish(), rows, files: copied, missing, taken_at }
}

/** Copies the content of a file. False if there is none, as after an erasure since, or if it is not what was stored. */
async function copyFile(
  files: FileStore,
  place: { workspaceId: string; fileId: string },
  sha256: string,
  writer: BackupWriter,
): Promise<boolean> {
  const content = await files.get(place)
  if (content === undefined) return false
  const hash = createHash('sha256')
  for await (const chunk of content as AsyncIterable<Buffer>) {
    hash.update(chunk)
    await writer.write(chunk)
  }
  return hash.digest('hex') === sha256
}
