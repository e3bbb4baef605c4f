import { Type } from 'typebox'
import type { WorkspaceTx } from './handles.ts'
import { type Sql, sql } from './sql.ts'

/**
 * Advisory locks by name. All code takes them through this file, so that supporting another database engine needs one
 * change. Workspace locks end with their transaction.
 */

const keyOf = (name: string | Sql): Sql => sql`hashtextextended(${name}, 0)`

const named = (tx: WorkspaceTx, name: string) => `${tx.workspaceId} ${name}`

/**
 * Takes locks of this workspace and waits for each. The order in which names are given does not matter: locks are
 * always taken in the same order, so that two calls cannot deadlock. The statement travels with the next
 * query, and that query sees everything that previous holders committed.
 */
export const lock = (tx: WorkspaceTx, ...names: readonly string[]): void =>
  take(tx, sql`pg_advisory_xact_lock`, names)

/** Takes the locks in shared mode. A transaction that wants one exclusively waits until all sharers have finished. */
export const share = (tx: WorkspaceTx, ...names: readonly string[]): void =>
  take(tx, sql`pg_advisory_xact_lock_shared`, names)

const take = (tx: WorkspaceTx, taking: Sql, names: readonly string[]): void =>
  tx.write`
    select ${taking}(key) from (
      select distinct ${keyOf(sql`name`)} as key from unnest(${names.map((name) => named(tx, name))}::text[]) as name
      order by key
    ) as locks`

const LockRow = Type.Object({ locked: Type.Boolean() })

/** Takes a lock of this workspace if it is free. Returns whether it took the lock. */
export const lockIfFree = async (tx: WorkspaceTx, name: string): Promise<boolean> => {
  const { locked } = await tx.one(
    LockRow,
  )`select pg_try_advisory_xact_lock(${keyOf(named(tx, name))}) as locked`
  return locked
}

const NameRow = Type.Object({ name: Type.String() })

/** Takes those of the named locks of this workspace that are free, without waiting. Returns their names. */
export const lockFree = async (tx: WorkspaceTx, names: readonly string[]): Promise<string[]> => {
  const rows = await tx.many(NameRow)`
    select name from (
      select name, ${keyOf(sql`${tx.workspaceId} || ' ' || name`)} as key
      from unnest(${[...new Set(names)].toSorted()}::text[]) as name
    ) as wanted where pg_try_advisory_xact_lock(key)`
  return rows.map(({ name }) => name)
}

/** A statement that takes a lock across workspaces until the transaction ends. */
export const globalLock = (name: string): Sql => sql`select pg_advisory_xact_lock(${keyOf(name)})`

/**
 * An expression: takes a lock, if it is free, until `unlockSession` or the end of the connection. False only while it is
 * held in shared mode.
 */
export const sessionLockTaken = (name: string): Sql => sql`
  (pg_try_advisory_lock(${keyOf(name)})
    or not (pg_try_advisory_lock_shared(${keyOf(name)}) and pg_advisory_unlock_shared(${keyOf(name)})))`

/** A statement that releases all locks of the connection that outlive their transactions. */
export const unlockSession: Sql = sql`select pg_advisory_unlock_all()`

/** An expression: whether the lock is free. If so, no one else can take it exclusively until the transaction ends. */
export const isFree = (name: string): Sql => sql`pg_try_advisory_xact_lock_shared(${keyOf(name)})`

/** A statement that waits for a lock and takes it until the connection closes. */
export const sessionLock = (name: string): Sql => sql`select pg_advisory_lock(${keyOf(name)})`
