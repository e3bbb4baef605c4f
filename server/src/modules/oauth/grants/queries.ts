import { Type } from 'typebox'
import type { DirectoryDb, DirectoryTx, WorkspaceTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Page } from '#kernel/http/paging.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { type GrantRow, NamedGrantRow, grantRecord } from './grant.ts'

const { Row, columns } = grantRecord

/** The app's live grants in these workspaces. */
export const listLiveGrantsIn = (directory: DirectoryDb, appId: string, workspaceIds: readonly string[]) =>
  directory.many(Row)`
    select ${columns} from oauth_grants
    where app_id = ${appId} and workspace_id = any (${workspaceIds}::text[]) and revoked_at is null`

export const findLiveGrant = (directory: DirectoryDb, appId: string, workspaceId: string) =>
  directory.maybeOne(Row)`
    select ${columns} from oauth_grants
    where app_id = ${appId} and workspace_id = ${workspaceId} and revoked_at is null`

/** Like `findLiveGrant`, but locks the row. */
export const lockLiveGrant = (tx: WorkspaceTx, appId: string) =>
  tx.maybeOne(Row)`
    select ${columns} from oauth_grants
    where app_id = ${appId} and workspace_id = ${tx.workspaceId} and revoked_at is null for update`

/** Like `lockLiveGrant`, but by the grant's id. */
export const lockGrant = (tx: WorkspaceTx, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from oauth_grants
    where id = ${id} and workspace_id = ${tx.workspaceId} and revoked_at is null for update`

/** The app's live grants in all workspaces, at most `limit`. */
export const listLiveGrantsOfApp = (directory: DirectoryDb, appId: string, limit: number) =>
  directory.many(Row)`
    select ${columns} from oauth_grants where app_id = ${appId} and revoked_at is null order by id limit ${limit}`

const WorkspaceRow = Type.Object({ workspace_id: Type.String() })

export const listConnectedWorkspaceIds = async (directory: DirectoryDb, appId: string): Promise<string[]> => {
  const rows = await directory.many(
    WorkspaceRow,
  )`select workspace_id from oauth_grants where app_id = ${appId} and revoked_at is null`
  return rows.map(({ workspace_id }) => workspace_id)
}

const named = sql`
  select ${grantRecord.columnsOf('g')}, a.name as app_name, a.scopes as app_scopes
  from oauth_grants g join oauth_apps a on a.id = g.app_id`

/** Grants of the workspace, including revoked ones, newest first. */
export const listGrants = (directory: DirectoryDb, workspaceId: string) =>
  directory.many(NamedGrantRow)`${named} where g.workspace_id = ${workspaceId} order by g.id desc limit 1000`

/** A page of the workspace's live grants, newest first; without `page`, at most 1,000. */
export const listLiveGrants = (directory: DirectoryDb, workspaceId: string, page?: Page) =>
  directory.many(NamedGrantRow)`
    ${named} where g.workspace_id = ${workspaceId} and g.revoked_at is null
    ${page?.keyset('g') ?? sql`order by g.id desc limit 1000`}`

/** The workspace's live grant of the app, unless the app is disabled or deleted. */
export const findWorkingGrant = (directory: DirectoryDb, workspaceId: string, appId: string) =>
  directory.maybeOne(NamedGrantRow)`
    ${named} where g.workspace_id = ${workspaceId} and g.app_id = ${appId} and g.revoked_at is null
      and a.disabled_at is null and a.deleted_at is null`

/** A live grant of the workspace. */
export const findGrant = (directory: DirectoryDb, workspaceId: string, id: string) =>
  directory.maybeOne(NamedGrantRow)`
    ${named} where g.id = ${id} and g.workspace_id = ${workspaceId} and g.revoked_at is null`

export const insertGrant = (tx: DirectoryTx, grant: GrantRow): void =>
  tx.write`insert into oauth_grants ${values(grant)}`

/** Writes the changed columns. The caller holds the row's lock. */
export const saveGrant = (tx: DirectoryTx, id: string, changed: Partial<GrantRow>): void =>
  tx.write`update oauth_grants set ${assignments(changed)} where id = ${id}`

/** Sets `last_used_at`, at most once a minute. Skips rows that another instance is updating. */
export const recordGrantUse = (directory: DirectoryDb, ids: string[], now: Date) =>
  directory.run`
    update oauth_grants set last_used_at = ${now}
    where id in (
      select id from oauth_grants
      where id = any (${ids}) and (last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute')
      for update skip locked)`
