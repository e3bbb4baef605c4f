import { type Static, Type } from 'typebox'
import type { DirectoryDb, DirectoryTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import { type CredentialLookup, lookupColumns } from '#kernel/http/authentication.ts'
import { countRequests } from '../access/public.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

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

export const insertSession = (tx: DirectoryTx, row: SessionRow, hash: Buffer): void =>
  tx.write`
  insert into sessions (hash, ${columns})
  values (${hash}, ${row.id}, ${row.person_id}, ${row.device}, ${row.proved_at}, ${row.seen_at}, ${row.expires_at},
    ${row.ends_at}, ${row.created_at})`

const SessionUserRow = Type.Object({
  ...SessionRow.properties,
  name: Type.String(),
  email: Type.String(),
})

/** Returns the session with this secret and its person, unless the session has ended. */
export const findSession = (directory: DirectoryDb, hash: Buffer, now: Date) =>
  directory.maybeOne(SessionUserRow)`
    select s.id, s.person_id, s.device, s.proved_at, s.seen_at, s.expires_at, s.ends_at, s.created_at, p.name, p.email
    from sessions s join people p on p.id = s.person_id
    where s.hash = ${hash} and s.expires_at > ${now} and s.ends_at > ${now}`

const MemberRow = Type.Object({ member_id: Type.String() })

/** Returns the workspace member who is signed in with this session, unless the session has ended. */
export const findMemberOfSession = async (
  directory: DirectoryDb,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<string | undefined> => {
  const row = await directory.maybeOne(MemberRow)`
    select m.member_id from sessions s
    join memberships m on m.person_id = s.person_id and m.workspace_id = ${workspaceId}
    where s.id = ${id} and s.expires_at > ${now} and s.ends_at > ${now}`
  return row?.member_id
}

/** Records a use, at most once a minute, and extends the session. */
export const touchSession = (directory: DirectoryDb, hash: Buffer, now: Date, expiresAt: Date) =>
  directory.run`
    update sessions set seen_at = ${now}, expires_at = least(${expiresAt}, ends_at)
    where hash = ${hash} and seen_at < ${now}::timestamptz - interval '1 minute' and expires_at > ${now}`

/** Live sessions, newest first, at most 100. */
export const listSessions = (directory: DirectoryDb, personId: string, now: Date) =>
  directory.many(SessionRow)`
    select ${columns} from sessions where person_id = ${personId} and expires_at > ${now} and ends_at > ${now}
    order by id desc limit 100`

const IdRow = Type.Object({ id: Type.String() })

/** Returns the session's id if it still exists. */
export const hasSession = (tx: DirectoryTx, personId: string, id: string) =>
  tx.maybeOne(IdRow)`select id from sessions where person_id = ${personId} and id = ${id}`

/** Deletes a session by the hash of its secret. */
export const deleteSessionOf = (tx: DirectoryTx, hash: Buffer) =>
  tx.run`delete from sessions where hash = ${hash}`

export const deleteSession = (directory: DirectoryDb, personId: string, id: string) =>
  directory.run`delete from sessions where person_id = ${personId} and id = ${id}`

/** Ends all sessions of a person except the given one. */
export const deleteSessions = (directory: DirectoryDb, personId: string, exceptId: string | null) =>
  directory.run`
    delete from sessions where person_id = ${personId} and (${exceptId}::text is null or id <> ${exceptId})`

/** Deletes at most `limit` sessions that have ended. */
export const deleteEndedSessions = (directory: DirectoryDb, now: Date, limit: number) =>
  directory.run`
    delete from sessions where hash in (select hash from sessions where expires_at <= ${now} limit ${limit})`

const StepRow = Type.Object({ person_id: nullable, challenge: nullable })

export interface NewStep {
  hash: Buffer
  kind: string
  personId: string | null
  challenge: string | null
  expiresAt: Date
}

export const insertStep = (directory: DirectoryDb, { hash, kind, personId, challenge, expiresAt }: NewStep) =>
  directory.run`
    insert into sign_in_steps (hash, kind, person_id, challenge, expires_at)
    values (${hash}, ${kind}, ${personId}, ${challenge}, ${expiresAt})`

export const findStep = (directory: DirectoryDb, hash: Buffer, kind: string, now: Date) =>
  directory.maybeOne(StepRow)`
    select person_id, challenge from sign_in_steps
    where hash = ${hash} and kind = ${kind} and expires_at > ${now}`

/** Takes the step. If two requests race, only one gets the row. */
export const takeStep = (directory: DirectoryDb, hash: Buffer, kind: string, now: Date) =>
  directory.maybeOne(StepRow)`
    delete from sign_in_steps where hash = ${hash} and kind = ${kind} and expires_at > ${now}
    returning person_id, challenge`

/** Deletes all open sign-in steps of a person, such as those started with a password that is no longer valid. */
export const deleteStepsOf = (tx: DirectoryTx, personId: string) =>
  tx.run`delete from sign_in_steps where person_id = ${personId}`

/** Deletes at most `limit` expired steps. */
export const deleteOldSteps = (directory: DirectoryDb, now: Date, limit: number) =>
  directory.run`
    delete from sign_in_steps where hash in (select hash from sign_in_steps where expires_at <= ${now} limit ${limit})`

const AuthenticatedRow = Type.Object({
  ...lookupColumns,
  id: Type.String(),
  person_id: Type.String(),
  proved_at: Type.String(),
  member_id: Type.Union([Type.String(), Type.Null()]),
})

/**
 * Reads sessions and counts their requests, for many requests in one statement. Each person has a count per workspace,
 * and one more for requests outside a workspace. Reads directory tables only: the member's role and reach are in the
 * workspace's tables.
 */
export const authenticateSessions = (
  authenticator: DirectoryDb,
  { hashes, workspaceIds, requests, now, windowStart }: CredentialLookup,
) =>
  authenticator.many(AuthenticatedRow)`
  with known as materialized (
    select asked.place, asked.requests, s.id, s.person_id, s.proved_at, m.member_id,
      case when asked.workspace_id is null then s.person_id else m.member_id end as counter,
      s.seen_at < ${now}::timestamptz - interval '1 minute' as unrecorded
    from unnest(${hashes}::bytea[], ${workspaceIds}::text[], ${requests}::integer[])
      with ordinality as asked (hash, workspace_id, requests, place)
    join sessions s on s.hash = asked.hash and s.expires_at > ${now} and s.ends_at > ${now}
    left join memberships m on m.person_id = s.person_id and m.workspace_id = asked.workspace_id
  ), valid as (
    select place, counter, requests,
      sum(requests) over (partition by counter order by place desc) - requests as behind
    from known where counter is not null
  ), counted as (${countRequests(sql`
    select counter, ${windowStart}, sum(requests)::integer from valid group by counter order by counter`)}
  )
  select place, id, person_id, proved_at, member_id, false as expired, false as revoked, unrecorded,
    (used - behind)::integer as used, window_start
  from known left join valid using (place) left join counted on counted.credential_id = valid.counter`

/** Records that sessions are in use, at most once a minute each, and extends them. */
export const touchSessions = (directory: DirectoryDb, ids: string[], now: Date, expiresAt: Date) =>
  directory.run`
    update sessions set seen_at = ${now}, expires_at = least(${expiresAt}, ends_at)
    where id in (
      select id from sessions
      where id = any (${ids}) and seen_at < ${now}::timestamptz - interval '1 minute' and expires_at > ${now}
      for update skip locked)`
