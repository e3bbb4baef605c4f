import { Type } from 'typebox'
import type { WorkspaceTx } from './handles.ts'
import { type Sql, sql } from './sql.ts'

/**
 * Advisory locks by name. All of them are taken here, so that another database engine needs one change.
 * Workspace locks end with their transaction.
 */

const keyOf = (name: string | Sql): Sql => sql`hashtextextended(${name}, 0)`

const named = (tx: WorkspaceTx, name: string) => `${tx.workspaceId} ${name}`

/**
 * Takes locks of this workspace, waiting for each. Several names are taken in one order whatever order they are given
 * in, so that two transactions cannot wait for each other. The statement travels with the next query: what that query
 * reads includes everything that the holders before have committed.
 */
export const lock = (tx: WorkspaceTx, ...names: readonly string[]): void =>
  take(tx, sql`pg_advisory_xact_lock`, names)

/** The same with others that share: who takes a lock for itself waits for all of them. */
export const share = (tx: WorkspaceTx, ...names: readonly string[]): void =>
  take(tx, sql`pg_advisory_xact_lock_shared`, names)

const take = (tx: WorkspaceTx, taking: Sql, names: readonly string[]): void =>
  tx.write`
    select ${taking}(key) from (
      select distinct ${keyOf(sql`name`)} as key from unnest(${names.map((name) => named(tx, name))}::text[]) as name
      order by key
    ) as locks`

const LockRow = Type.Object({ locked: Type.Boolean() })

/** Takes a lock of this workspace if it is free. Returns whether it did. */
export const tryLock = async (tx: WorkspaceTx, name: string): Promise<boolean> => {
  const { locked } = await tx.one(
    LockRow,
  )`select pg_try_advisory_xact_lock(${keyOf(named(tx, name))}) as locked`
  return locked
}

const NameRow = Type.Object({ name: Type.String() })

/** Takes those locks of this workspace that are free, and returns their names. Waits for none. */
export const tryLocks = async (tx: WorkspaceTx, names: readonly string[]): Promise<string[]> => {
  const rows = await tx.many(NameRow)`
    select name from (
      select name, ${keyOf(sql`${tx.workspaceId} || ' ' || name`)} as key
      from unnest(${[...new Set(names)].toSorted()}::text[]) as name
    ) as wanted where pg_try_advisory_xact_lock(key)`
  return rows.map(({ name }) => name)
}

/** The statement that takes a lock across workspaces until the transaction ends. */
export const globalLock = (name: string): Sql => sql`select pg_advisory_xact_lock(${keyOf(name)})`

/** Takes a lock until `unlockSession` or the end of the connection, if it is free. */
export const trySessionLock = (name: string): Sql => sql`select pg_try_advisory_lock(${keyOf(name)})`

/** Releases all locks of the connection that do not end with their transaction. */
export const unlockSession: Sql = sql`select pg_advisory_unlock_all()`

/** An expression: whether the lock is free. If it is, it stays free until the transaction has ended. */
export const isFree = (name: string): Sql => sql`pg_try_advisory_xact_lock_shared(${keyOf(name)})`

/** The statement that takes a lock until the connection closes. */
export const sessionLock = (name: string): Sql => sql`select pg_advisory_lock(${keyOf(name)})`
