import { Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { sql } from '#kernel/db/sql.ts'

const CountRow = Type.Object({ key: Type.Unsafe<Buffer>({}), used: Type.Integer() })

/** One more attempt for each key; a stretch that began at `since` or before is over. In order, so that none waits for another in a circle. */
export const countAttempts = (directory: Queries, keys: readonly Buffer[], now: Date, since: Date) =>
  directory.many(
    CountRow,
    sql`
    insert into sign_in_attempts as present (key, started_at, used)
    select key, ${now}, 1 from unnest(${keys}::bytea[]) as asked (key) order by key
    on conflict (key) do update set
      used = case when present.started_at > ${since} then present.used else 0 end + 1,
      started_at = case when present.started_at > ${since} then present.started_at else ${now} end
    returning key, used`,
  )

/** In the order in which they are counted. */
export const forgetAttempts = (directory: Queries, keys: readonly Buffer[]) =>
  directory.run(sql`
    delete from sign_in_attempts where key in (
      select key from sign_in_attempts where key = any (${keys}::bytea[]) order by key for update)`)

/** Those of a stretch that is over; `limit` at most. */
export const deleteOldAttempts = (directory: Queries, since: Date, limit: number) =>
  directory.run(sql`
    delete from sign_in_attempts where key in (
      select key from sign_in_attempts where started_at <= ${since} limit ${limit} for update skip locked)`)
