import { type Static, Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { sql } from '#kernel/db/sql.ts'
import { roles } from '../workspaces/public.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

export const InvitationRow = Type.Object({
  id: Type.String(),
  workspace_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: Type.Enum(roles),
  invited_by: nullable,
  expires_at: Type.String(),
  accepted_at: nullable,
  revoked_at: nullable,
  created_at: Type.String(),
})
export type InvitationRow = Static<typeof InvitationRow>

const columns = sql`id, workspace_id, name, email, role, invited_by, expires_at, accepted_at, revoked_at, created_at`

/** Takes the open invitation to this address back: its link works no more. */
export const revokeInvitationOf = (tx: Queries & { workspaceId: string }, email: string, now: Date) =>
  tx.run(sql`
    update invitations set revoked_at = ${now}
    where workspace_id = ${tx.workspaceId} and lower(email) = lower(${email}) and accepted_at is null
      and revoked_at is null`)

export const insertInvitation = (
  tx: Queries,
  row: Omit<InvitationRow, 'accepted_at' | 'revoked_at'>,
  hash: Buffer,
) =>
  tx.run(sql`
    insert into invitations (id, hash, workspace_id, name, email, role, invited_by, expires_at, created_at)
    values (${row.id}, ${hash}, ${row.workspace_id}, ${row.name}, ${row.email}, ${row.role}, ${row.invited_by},
      ${row.expires_at}, ${row.created_at})`)

const CountRow = Type.Object({ all: Type.Integer(), theirs: Type.Integer() })

/** How many invitations the workspace has sent since then, and how many of them to this address. */
export const countInvitations = (tx: Queries & { workspaceId: string }, email: string, since: Date) =>
  tx.one(
    CountRow,
    sql`
    select count(*)::integer as all, (count(*) filter (where lower(email) = lower(${email})))::integer as theirs
    from invitations where workspace_id = ${tx.workspaceId} and created_at > ${since}`,
  )

/** The invitation of this link, if it can still be accepted. */
export const findInvitation = (directory: Queries, hash: Buffer, now: Date) =>
  directory.maybeOne(
    InvitationRow,
    sql`
    select ${columns} from invitations
    where hash = ${hash} and accepted_at is null and revoked_at is null and expires_at > ${now}`,
  )

/** Of two who accept at once one does. */
export const markAccepted = (tx: Queries, id: string, now: Date) =>
  tx.maybeOne(
    InvitationRow,
    sql`
    update invitations set accepted_at = ${now}
    where id = ${id} and accepted_at is null and revoked_at is null and expires_at > ${now}
    returning ${columns}`,
  )

/** Those that wait for an answer, newest first. */
export const listInvitations = (directory: Queries, workspaceId: string, now: Date) =>
  directory.many(
    InvitationRow,
    sql`
    select ${columns} from invitations
    where workspace_id = ${workspaceId} and accepted_at is null and revoked_at is null and expires_at > ${now}
    order by id desc limit 1000`,
  )

export const markRevoked = (tx: Queries & { workspaceId: string }, id: string, now: Date) =>
  tx.maybeOne(
    InvitationRow,
    sql`
    update invitations set revoked_at = ${now}
    where workspace_id = ${tx.workspaceId} and id = ${id} and accepted_at is null and revoked_at is null
    returning ${columns}`,
  )

export const insertReset = (tx: Queries, hash: Buffer, personId: string, now: Date, expiresAt: Date) =>
  tx.run(sql`
    insert into password_resets (hash, person_id, expires_at, created_at)
    values (${hash}, ${personId}, ${expiresAt}, ${now})`)

const ResetRow = Type.Object({ person_id: Type.String() })

export const findReset = (directory: Queries, hash: Buffer, now: Date) =>
  directory.maybeOne(
    ResetRow,
    sql`select person_id from password_resets where hash = ${hash} and expires_at > ${now}`,
  )

/** Uses up the link. Of two at once one gets it. */
export const takeReset = (tx: Queries, hash: Buffer, now: Date) =>
  tx.maybeOne(
    ResetRow,
    sql`delete from password_resets where hash = ${hash} and expires_at > ${now} returning person_id`,
  )

/** The other links of a person who has a new password now. */
export const deleteResetsOf = (tx: Queries, personId: string) =>
  tx.run(sql`delete from password_resets where person_id = ${personId}`)

/** Those that are too old; `limit` at most. */
export const deleteOldResets = (directory: Queries, now: Date, limit: number) =>
  directory.run(sql`
    delete from password_resets where hash in (
      select hash from password_resets where expires_at <= ${now} limit ${limit})`)

/** Those that have long come to their end keep nobody's address; `limit` at most. */
export const deleteOldInvitations = (directory: Queries, endedBefore: Date, limit: number) =>
  directory.run(sql`
    delete from invitations
    where id in (
      select id from invitations where least(expires_at, accepted_at, revoked_at) <= ${endedBefore} limit ${limit})`)
