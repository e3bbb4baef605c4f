import { type Static, Type } from 'typebox'
import type { DirectoryDb, DirectoryTx, WorkspaceTx } from '#kernel/db/handles.ts'
import { empty, sql } from '#kernel/db/sql.ts'

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

export const findLiveGrant = (directory: DirectoryDb, appId: string, workspaceId: string) =>
  directory.maybeOne(GrantRow)`
    select ${columns} from oauth_grants
    where app_id = ${appId} and workspace_id = ${workspaceId} and revoked_at is null`

/** The app's live grants in these workspaces. */
export const listLiveGrantsIn = (directory: DirectoryDb, appId: string, workspaceIds: readonly string[]) =>
  directory.many(GrantRow)`
    select ${columns} from oauth_grants
    where app_id = ${appId} and workspace_id = any (${workspaceIds}::text[]) and revoked_at is null`

/** As `findLiveGrant`; locks the row. */
export const lockLiveGrant = (tx: WorkspaceTx, appId: string) =>
  tx.maybeOne(GrantRow)`
    select ${columns} from oauth_grants
    where app_id = ${appId} and workspace_id = ${tx.workspaceId} and revoked_at is null for update`

/** In all workspaces, at most `limit`. */
export const listLiveGrantsOfApp = (directory: DirectoryDb, appId: string, limit: number) =>
  directory.many(GrantRow)`
    select ${columns} from oauth_grants where app_id = ${appId} and revoked_at is null order by id limit ${limit}`

const WorkspaceRow = Type.Object({ workspace_id: Type.String() })

export const listConnectedWorkspaceIds = async (directory: DirectoryDb, appId: string): Promise<string[]> => {
  const rows = await directory.many(
    WorkspaceRow,
  )`select workspace_id from oauth_grants where app_id = ${appId} and revoked_at is null`
  return rows.map(({ workspace_id }) => workspace_id)
}

const NamedGrantRow = Type.Object({
  ...GrantRow.properties,
  app_name: Type.String(),
  /** Scopes that the app may request now, which can be fewer than were granted. */
  app_scopes: Type.Array(Type.String()),
})
export type NamedGrantRow = Static<typeof NamedGrantRow>

/** Grants of the workspace, newest first. */
export const listGrants = (directory: DirectoryDb, workspaceId: string, which: 'all' | 'live' = 'all') =>
  directory.many(NamedGrantRow)`
    select g.id, g.app_id, g.workspace_id, g.member_id, g.scopes, g.last_used_at, g.revoked_at, g.created_at,
      g.updated_at, a.name as app_name, a.scopes as app_scopes
    from oauth_grants g join oauth_apps a on a.id = g.app_id
    where g.workspace_id = ${workspaceId} ${which === 'live' ? sql`and g.revoked_at is null` : empty}
    order by g.id desc limit 1000`

export const insertGrant = (tx: DirectoryTx, grant: GrantRow): void =>
  tx.write`
  insert into oauth_grants (${columns})
  values (${grant.id}, ${grant.app_id}, ${grant.workspace_id}, ${grant.member_id}, ${grant.scopes},
    ${grant.last_used_at}, ${grant.revoked_at}, ${grant.created_at}, ${grant.updated_at})`

export const saveApproval = (tx: DirectoryTx, { id, member_id, scopes, updated_at }: GrantRow): void =>
  tx.write`
  update oauth_grants set member_id = ${member_id}, scopes = ${scopes}, updated_at = ${updated_at} where id = ${id}`

export const markGrantRevoked = (tx: DirectoryTx, id: string, now: Date): void =>
  tx.write`
  update oauth_grants set revoked_at = ${now}, updated_at = ${now} where id = ${id}`

/** Sets `last_used_at`, once a minute. Skips rows that another instance is updating. */
export const noteGrantUse = (directory: DirectoryDb, ids: string[], now: Date) =>
  directory.run`
    update oauth_grants set last_used_at = ${now}
    where id in (
      select id from oauth_grants
      where id = any (${ids}) and (last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute')
      for update skip locked)`
