import { Type } from 'typebox'
import type { DirectoryDb } from '#kernel/db/handles.ts'

const CountRow = Type.Object({ key: Type.Unsafe<Buffer>({}), used: Type.Integer() })

/**
 * Counts one attempt for each key and returns the counts. A window that started at or before `since` is over and starts
 * again. Locks the keys in order, to avoid deadlocks.
 */
export const countAttempts = (directory: DirectoryDb, keys: readonly Buffer[], now: Date, since: Date) =>
  directory.many(CountRow)`
    insert into sign_in_attempts as present (key, started_at, used)
    select key, ${now}, 1 from unnest(${keys}::bytea[]) as asked (key) order by key
    on conflict (key) do update set
      used = case when present.started_at > ${since} then present.used else 0 end + 1,
      started_at = case when present.started_at > ${since} then present.started_at else ${now} end
    returning key, used`

/** Resets the counts. Locks the keys in the same order as `countAttempts`. */
export const forgetAttempts = (directory: DirectoryDb, keys: readonly Buffer[]) =>
  directory.run`
    delete from sign_in_attempts where key in (
      select key from sign_in_attempts where key = any (${keys}::bytea[]) order by key for update)`

/** Deletes at most `limit` counts whose window is over. */
export const deleteOldAttempts = (directory: DirectoryDb, since: Date, limit: number) =>
  directory.run`
    delete from sign_in_attempts where key in (
      select key from sign_in_attempts where started_at <= ${since} limit ${limit} for update skip locked)`
