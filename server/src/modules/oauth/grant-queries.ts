import { type Static, Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

export const GrantRow = Type.Object({
  id: Type.String(),
  app_id: Type.String(),
  workspace_id: Type.String(),
  member_id: Type.String(),
  scopes: Type.Array(Type.String()),
  last_used_at: nullable,
  revoked_at: nullable,
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type GrantRow = Static<typeof GrantRow>

const columns = sql`id, app_id, workspace_id, member_id, scopes, last_used_at, revoked_at, created_at, updated_at`

/** The grant by which the app acts for the workspace. */
export const findLiveGrant = (directory: Queries, appId: string, workspaceId: string) =>
  directory.maybeOne(
    GrantRow,
    sql`
    select ${columns} from oauth_grants
    where app_id = ${appId} and workspace_id = ${workspaceId} and revoked_at is null`,
  )

/** As findLiveGrant; it stays as it is until the transaction ends. */
export const lockLiveGrant = (tx: Queries & { workspaceId: string }, appId: string) =>
  tx.maybeOne(
    GrantRow,
    sql`
    select ${columns} from oauth_grants
    where app_id = ${appId} and workspace_id = ${tx.workspaceId} and revoked_at is null for update`,
  )

/** Of all workspaces; `limit` at most. */
export const listLiveGrantsOfApp = (directory: Queries, appId: string, limit: number) =>
  directory.many(
    GrantRow,
    sql`
    select ${columns} from oauth_grants where app_id = ${appId} and revoked_at is null order by id limit ${limit}`,
  )

const WorkspaceRow = Type.Object({ workspace_id: Type.String() })

/** Ids of the workspaces that have authorized the app. */
export const listWorkspacesOf = async (directory: Queries, appId: string): Promise<string[]> => {
  const rows = await directory.many(
    WorkspaceRow,
    sql`select workspace_id from oauth_grants where app_id = ${appId} and revoked_at is null`,
  )
  return rows.map(({ workspace_id }) => workspace_id)
}

const NamedGrantRow = Type.Object({
  ...GrantRow.properties,
  app_name: Type.String(),
  /** What the app may ask for now, which can be less than was granted. */
  app_scopes: Type.Array(Type.String()),
})
export type NamedGrantRow = Static<typeof NamedGrantRow>

/** What a workspace has granted, newest first: all of it, or what lives. */
export const listGrants = (directory: Queries, workspaceId: string, which: 'all' | 'live' = 'all') =>
  directory.many(
    NamedGrantRow,
    sql`
    select g.id, g.app_id, g.workspace_id, g.member_id, g.scopes, g.last_used_at, g.revoked_at, g.created_at,
      g.updated_at, a.name as app_name, a.scopes as app_scopes
    from oauth_grants g join oauth_apps a on a.id = g.app_id
    where g.workspace_id = ${workspaceId} ${which === 'live' ? sql`and g.revoked_at is null` : empty}
    order by g.id desc limit 1000`,
  )

export const insertGrant = (grant: GrantRow): Sql => sql`
  insert into oauth_grants (${columns})
  values (${grant.id}, ${grant.app_id}, ${grant.workspace_id}, ${grant.member_id}, ${grant.scopes},
    ${grant.last_used_at}, ${grant.revoked_at}, ${grant.created_at}, ${grant.updated_at})`

export const saveApproval = ({ id, member_id, scopes, updated_at }: GrantRow): Sql => sql`
  update oauth_grants set member_id = ${member_id}, scopes = ${scopes}, updated_at = ${updated_at} where id = ${id}`

export const markRevoked = (id: string, now: Date): Sql => sql`
  update oauth_grants set revoked_at = ${now}, updated_at = ${now} where id = ${id}`

/** Notes that grants are in use, once a minute; those that another instance is noting are left to it. */
export const noteGrantUse = (directory: Queries, ids: string[], now: Date) =>
  directory.run(sql`
    update oauth_grants set last_used_at = ${now}
    where id in (
      select id from oauth_grants
      where id = any (${ids}) and (last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute')
      for update skip locked)`)
