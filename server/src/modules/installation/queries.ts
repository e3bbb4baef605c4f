import { Type } from 'typebox'
import type { Clock } from '#kernel/clock.ts'
import { wrongMs } from '#kernel/db/clock-watch.ts'
import type { Directory, DirectoryDb, DirectoryTx } from '#kernel/db/handles.ts'
import { sharedNow } from '#kernel/db/shared-now.ts'
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

/** Of several processes that start at once, the first one's check and ID are saved. Before any backup, so that it has the ID. */
export function insertInstallation(tx: DirectoryTx, check: Buffer): void {
  tx.write`insert into installation (secret_check) values (${check}) on conflict do nothing`
  insertIdentity(tx)
}

const insertIdentity = (tx: DirectoryTx): void =>
  tx.write`insert into installation_identity default values on conflict do nothing`

export const saveSecretCheck = (tx: DirectoryTx, check: Buffer): void =>
  tx.write`update installation set secret_check = ${check}`

/** The span whose opt-outs and erasures the database may lack. `from` is null if no one knows. */
export interface Uncovered {
  from: string | null
  to: string
}

/**
 * A statement that begins a hold; see `findHold`. A database that was backed up while it was held may still lack what it lacked
 * then: the span begins there.
 */
export const holdingStatement = ({ from, to }: Uncovered): Sql => sql`
  update installation set held_since = ${to}::timestamptz, uncovered_to = ${to}::timestamptz,
    uncovered_from = case when held_since is null then ${from}::timestamptz
      when uncovered_from < ${from}::timestamptz or uncovered_from is null then uncovered_from else ${from}::timestamptz end`

/**
 * Begins a hold, and returns whether it did: not if there is one of this time or later. An earlier one is that of a database
 * that was saved while it was held: what was queued since may have left, too.
 */
export const startHold = async (tx: DirectoryTx, uncovered: Uncovered): Promise<boolean> =>
  (await tx.run`${holdingStatement(uncovered)} where held_since is null or held_since < ${uncovered.to}::timestamptz`) >
  0

/** Records a return to an earlier state; see `findRestoredAt`. */
export const recordRestored = (tx: DirectoryTx, at: string): void =>
  tx.write`
    insert into installation_identity (restored_at) values (${at}::timestamptz)
    on conflict (only_one) do update set restored_at = excluded.restored_at`

/** A statement that makes a restored database another installation than the one that was backed up, which may go on. */
export const copiedStatement = (at: string): Sql => sql`
  insert into installation_identity (restored_at) values (${at}::timestamptz)
  on conflict (only_one) do update
  set restored_at = excluded.restored_at, id = excluded.id, copied_from = installation_identity.id`

const IdentityRow = Type.Object({
  id: Type.String(),
  copied_from: nullable(Type.String()),
  restored_at: nullable(Type.String()),
})

const findIdentity = (directory: DirectoryDb) =>
  directory.maybeOne(IdentityRow)`select id, copied_from, restored_at from installation_identity`

/** What distinguishes this installation from others, then the ID of the one whose backup was restored here, if any. */
export async function findInstallationIds(directory: Directory): Promise<readonly [string, ...string[]]> {
  const known = await findIdentity(directory)
  if (known !== undefined) return known.copied_from === null ? [known.id] : [known.id, known.copied_from]
  await directory.transaction(async (tx) => insertIdentity(tx))
  return findInstallationIds(directory)
}

/** When the database was last restored; undefined if it never was. */
export const findRestoredAt = async (directory: DirectoryDb): Promise<Date | undefined> => {
  const restoredAt = (await findIdentity(directory))?.restored_at ?? null
  return restoredAt === null ? undefined : new Date(restoredAt)
}

/** The database has everything from `from` until `until` now. What it lacked before, it still lacks. */
export const saveCoveredSpan = (directory: DirectoryDb, from: string, until: string) =>
  directory.run`
    update installation set uncovered_from = ${until}::timestamptz where uncovered_from = ${from}::timestamptz`

/** Ends the hold that began at this time. Returns whether it still was the one. */
export const endHold = async (tx: DirectoryTx, since: string): Promise<boolean> =>
  (await tx.run`
    update installation set held_since = null, uncovered_from = null, uncovered_to = null
    where held_since = ${since}::timestamptz`) > 0

const BackupRow = Type.Object({ ended_at: Type.String() })

/** When the last backup ended. Undefined if there was none. */
export const findLastBackup = async (directory: DirectoryDb): Promise<string | undefined> =>
  (await directory.maybeOne(BackupRow)`select ended_at from last_backup`)?.ended_at

export const saveLastBackup = (directory: DirectoryDb, endedAt: Date) =>
  directory.run`
    insert into last_backup (ended_at) values (${endedAt}) on conflict (id) do update set ended_at = excluded.ended_at`

/** How often a worker records its clock. A record that is three times as old counts no more. */
export const workerClockMs = 10_000

export const saveWorkerClock = (
  directory: DirectoryDb,
  clock: Pick<Clock, 'shared'>,
  { id, aheadMs }: { id: string; aheadMs: number },
) =>
  directory.run`
    insert into worker_clocks (id, ahead_ms, compared_at) values (${id}, ${Math.round(aheadMs)}, ${sharedNow(clock)})
    on conflict (id) do update set ahead_ms = excluded.ahead_ms, compared_at = excluded.compared_at`

/** Removes it, and those of workers that were killed. */
export const removeWorkerClock = (directory: DirectoryDb, clock: Pick<Clock, 'shared'>, id: string) =>
  directory.run`
    delete from worker_clocks where id = ${id} or compared_at < ${sharedNow(clock)} - interval '1 day'`

const WorkersRow = Type.Object({
  count: Type.Integer(),
  now: Type.String(),
  are_wrong: nullable(Type.Boolean()),
})

/**
 * How many workers are connected, PostgreSQL's time, and whether the clocks of all workers are wrong: a right one sends. Null
 * without any record.
 */
export const findWorkers = (directory: DirectoryDb, clock: Pick<Clock, 'shared'>) =>
  directory.one(WorkersRow)`
    select count(*)::integer as count, ${sharedNow(clock)} as now,
      (select bool_and(abs(ahead_ms) > ${wrongMs}) from worker_clocks
       where compared_at > ${sharedNow(clock)} - make_interval(secs => ${(3 * workerClockMs) / 1000})) as are_wrong
    from pg_stat_activity
    where datname = current_database() and application_name = 'gable gable_sender'`
