import { type Static, Type } from 'typebox'
import type { DirectoryDb, DirectoryTx, WorkspaceTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Page } from '#kernel/http/paging.ts'
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

/** Revokes the open invitation to this address. */
export const revokeInvitationOf = (tx: WorkspaceTx, email: string, now: Date) =>
  tx.run`
    update invitations set revoked_at = ${now}
    where workspace_id = ${tx.workspaceId} and lower(email) = lower(${email}) and accepted_at is null
      and revoked_at is null`

export const insertInvitation = (
  tx: DirectoryTx,
  row: Omit<InvitationRow, 'accepted_at' | 'revoked_at'>,
  hash: Buffer,
) =>
  tx.run`
    insert into invitations (id, hash, workspace_id, name, email, role, invited_by, expires_at, created_at)
    values (${row.id}, ${hash}, ${row.workspace_id}, ${row.name}, ${row.email}, ${row.role}, ${row.invited_by},
      ${row.expires_at}, ${row.created_at})`

const CountRow = Type.Object({ all: Type.Integer(), to_address: Type.Integer() })

/** Returns the number of invitations since then, and how many of them went to this address. */
export const countInvitations = (tx: WorkspaceTx, email: string, since: Date) =>
  tx.one(CountRow)`
    select count(*)::integer as all, (count(*) filter (where lower(email) = lower(${email})))::integer as to_address
    from invitations where workspace_id = ${tx.workspaceId} and created_at > ${since}`

/** Returns the invitation with this token if it can still be accepted. */
export const findInvitation = (directory: DirectoryDb, hash: Buffer, now: Date) =>
  directory.maybeOne(InvitationRow)`
    select ${columns} from invitations
    where hash = ${hash} and accepted_at is null and revoked_at is null and expires_at > ${now}`

/** If two requests race, only one gets the row. */
export const markAccepted = (tx: DirectoryTx, id: string, now: Date) =>
  tx.maybeOne(InvitationRow)`
    update invitations set accepted_at = ${now}
    where id = ${id} and accepted_at is null and revoked_at is null and expires_at > ${now}
    returning ${columns}`

/** A page of the open invitations, newest first; without `page`, at most 1,000. */
export const listInvitations = (directory: DirectoryDb, workspaceId: string, now: Date, page?: Page) =>
  directory.many(InvitationRow)`
    select ${columns} from invitations
    where workspace_id = ${workspaceId} and accepted_at is null and revoked_at is null and expires_at > ${now}
    ${page?.keyset() ?? sql`order by id desc limit 1000`}`

/** An open invitation of the workspace. */
export const findOpenInvitation = (directory: DirectoryDb, workspaceId: string, id: string, now: Date) =>
  directory.maybeOne(InvitationRow)`
    select ${columns} from invitations
    where workspace_id = ${workspaceId} and id = ${id} and accepted_at is null and revoked_at is null
      and expires_at > ${now}`

/** The invitation to this address that was neither accepted nor revoked. It may have expired. */
export const findInvitationOf = (tx: WorkspaceTx, email: string) =>
  tx.maybeOne(InvitationRow)`
    select ${columns} from invitations
    where workspace_id = ${tx.workspaceId} and lower(email) = lower(${email}) and accepted_at is null
      and revoked_at is null`

export const markInvitationRevoked = (tx: WorkspaceTx, id: string, now: Date) =>
  tx.maybeOne(InvitationRow)`
    update invitations set revoked_at = ${now}
    where workspace_id = ${tx.workspaceId} and id = ${id} and accepted_at is null and revoked_at is null
    returning ${columns}`

/** Deletes at most `limit` invitations that ended before then, together with the addresses in them. */
export const deleteOldInvitations = (directory: DirectoryDb, endedBefore: Date, limit: number) =>
  directory.run`
    delete from invitations
    where id in (
      select id from invitations where least(expires_at, accepted_at, revoked_at) <= ${endedBefore} limit ${limit})`
