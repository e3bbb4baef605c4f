import { Type } from 'typebox'
import type { DirectoryDb, DirectoryTx } from '#kernel/db/handles.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import { nullable } from '#kernel/schemas.ts'

const Row = Type.Object({
  secret_check: Type.Unsafe<Buffer>({}),
  held_since: nullable(Type.String()),
  uncovered_from: nullable(Type.String()),
  uncovered_to: nullable(Type.String()),
})

/** Undefined before the first start. */
export const findInstallation = (directory: DirectoryDb) =>
  directory.maybeOne(Row)`select secret_check, held_since, uncovered_from, uncovered_to from installation`

/** Of several processes that start at once, the first one's check is saved. */
export const insertInstallation = (tx: DirectoryTx, check: Buffer): void =>
  tx.write`insert into installation (secret_check) values (${check}) on conflict do nothing`

export const saveSecretCheck = (tx: DirectoryTx, check: Buffer): void =>
  tx.write`update installation set secret_check = ${check}`

/** The span whose opt-outs and erasures the database may lack. `from` is null if no one knows. */
export interface Uncovered {
  from: string | null
  to: string
}

/** A statement that begins a hold; see `findHold`. */
export const holdingStatement = ({ from, to }: Uncovered): Sql => sql`
  update installation set held_since = ${to}::timestamptz, uncovered_from = ${from}::timestamptz, uncovered_to = ${to}::timestamptz`

/** The database has everything until `from` now. */
export const saveUncoveredFrom = (directory: DirectoryDb, from: string) =>
  directory.run`update installation set uncovered_from = ${from}::timestamptz`

export const endHold = (tx: DirectoryTx): void =>
  tx.write`update installation set held_since = null, uncovered_from = null, uncovered_to = null`

const BackupRow = Type.Object({ ended_at: Type.String() })

/** When the last backup ended. Undefined if there was none. */
export const findLastBackup = async (directory: DirectoryDb): Promise<string | undefined> =>
  (await directory.maybeOne(BackupRow)`select ended_at from last_backup`)?.ended_at

export const saveLastBackup = (directory: DirectoryDb, endedAt: Date) =>
  directory.run`
    insert into last_backup (ended_at) values (${endedAt}) on conflict (id) do update set ended_at = excluded.ended_at`
