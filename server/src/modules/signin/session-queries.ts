import { type Static, Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'

export const SessionRow = Type.Object({
  id: Type.String(),
  person_id: Type.String(),
  device: Type.String(),
  proved_at: Type.String(),
  seen_at: Type.String(),
  expires_at: Type.String(),
  ends_at: Type.String(),
  created_at: Type.String(),
})
export type SessionRow = Static<typeof SessionRow>

const columns = sql`id, person_id, device, proved_at, seen_at, expires_at, ends_at, created_at`

export const insertSession = (row: SessionRow, hash: Buffer): Sql => sql`
  insert into sessions (hash, ${columns})
  values (${hash}, ${row.id}, ${row.person_id}, ${row.device}, ${row.proved_at}, ${row.seen_at}, ${row.expires_at},
    ${row.ends_at}, ${row.created_at})`

const VisitRow = Type.Object({
  ...SessionRow.properties,
  name: Type.String(),
  email: Type.String(),
})

/** The session of this secret with its person, unless it is over. */
export const findVisit = (directory: Queries, hash: Buffer, now: Date) =>
  directory.maybeOne(
    VisitRow,
    sql`
    select s.id, s.person_id, s.device, s.proved_at, s.seen_at, s.expires_at, s.ends_at, s.created_at, p.name, p.email
    from sessions s join people p on p.id = s.person_id
    where s.hash = ${hash} and s.expires_at > ${now} and s.ends_at > ${now}`,
  )

/** Notes that a session is in use, once a minute, and with it when it ends unless it is used again. */
export const noteVisit = (directory: Queries, hash: Buffer, now: Date, expiresAt: Date) =>
  directory.run(sql`
    update sessions set seen_at = ${now}, expires_at = least(${expiresAt}, ends_at)
    where hash = ${hash} and seen_at < ${now}::timestamptz - interval '1 minute' and expires_at > ${now}`)

/** What is left of it, newest first; a hundred at most. */
export const listSessions = (directory: Queries, personId: string, now: Date) =>
  directory.many(
    SessionRow,
    sql`
    select ${columns} from sessions where person_id = ${personId} and expires_at > ${now} and ends_at > ${now}
    order by id desc limit 100`,
  )

const IdRow = Type.Object({ id: Type.String() })

/** Whether it is there still. */
export const hasSession = (tx: Queries, personId: string, id: string) =>
  tx.maybeOne(IdRow, sql`select id from sessions where person_id = ${personId} and id = ${id}`)

/** By its secret, whoever's it is. */
export const deleteSessionOf = (tx: Queries, hash: Buffer) =>
  tx.run(sql`delete from sessions where hash = ${hash}`)

export const deleteSession = (directory: Queries, personId: string, id: string) =>
  directory.run(sql`delete from sessions where person_id = ${personId} and id = ${id}`)

/** All of a person, but for the one named. */
export const deleteSessions = (directory: Queries, personId: string, exceptId: string | null) =>
  directory.run(sql`
    delete from sessions where person_id = ${personId} and (${exceptId}::text is null or id <> ${exceptId})`)

/** Those that are over; `limit` at most. */
export const deleteEndedSessions = (directory: Queries, now: Date, limit: number) =>
  directory.run(sql`
    delete from sessions where hash in (select hash from sessions where expires_at <= ${now} limit ${limit})`)
