import { type Static, Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'

const nullable = Type.Union([Type.String(), Type.Null()])

export const AppRow = Type.Object({
  id: Type.String(),
  workspace_id: Type.String(),
  name: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
  confidential: Type.Boolean(),
  disabled_at: nullable,
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type AppRow = Static<typeof AppRow>

const columns = sql`id, workspace_id, name, redirect_uris, scopes, confidential, disabled_at, created_at, updated_at`

export const insertApp = (app: AppRow): Sql => sql`
  insert into oauth_apps (${columns})
  values (${app.id}, ${app.workspace_id}, ${app.name}, ${app.redirect_uris}, ${app.scopes}, ${app.confidential},
    ${app.disabled_at}, ${app.created_at}, ${app.updated_at})`

/** Disabled ones too; undefined for one that was deleted. */
export const findApp = (directory: Queries, id: string) =>
  directory.maybeOne(AppRow, sql`select ${columns} from oauth_apps where id = ${id} and deleted_at is null`)

/** As findApp, of those that this workspace's developers registered. */
export const findAppOf = (directory: Queries, workspaceId: string, id: string) =>
  directory.maybeOne(
    AppRow,
    sql`
    select ${columns} from oauth_apps
    where id = ${id} and workspace_id = ${workspaceId} and deleted_at is null`,
  )

/** Those that this workspace's developers registered, newest first. */
export const listApps = (directory: Queries, workspaceId: string) =>
  directory.many(
    AppRow,
    sql`
    select ${columns} from oauth_apps where workspace_id = ${workspaceId} and deleted_at is null
    order by id desc limit 1000`,
  )

const AppStateRow = Type.Object({
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  disabled: Type.Boolean(),
  deleted: Type.Boolean(),
})

/** Also of one that was deleted. */
export const findAppState = (directory: Queries, id: string) =>
  directory.maybeOne(
    AppStateRow,
    sql`
    select name, scopes, disabled_at is not null as disabled, deleted_at is not null as deleted from oauth_apps
    where id = ${id}`,
  )

export const lockApp = (tx: Queries, id: string) =>
  tx.maybeOne(
    AppRow,
    sql`select ${columns} from oauth_apps where id = ${id} and deleted_at is null for update`,
  )

export const saveApp = ({ id, name, redirect_uris, scopes, updated_at }: AppRow): Sql => sql`
  update oauth_apps set name = ${name}, redirect_uris = ${redirect_uris}, scopes = ${scopes},
    updated_at = ${updated_at}
  where id = ${id}`

/** `null` enables it. */
export const saveDisabled = (id: string, disabledAt: Date | null, now: Date): Sql => sql`
  update oauth_apps set disabled_at = ${disabledAt}, updated_at = ${now} where id = ${id}`

export const markDeleted = (id: string, now: Date): Sql => sql`
  update oauth_apps set deleted_at = ${now}, updated_at = ${now} where id = ${id} and deleted_at is null`

export interface NewSecret {
  id: string
  hash: Buffer
  prefix: string
}

/** The present secret of an app that has none. */
export const insertSecret = (appId: string, { id, hash, prefix }: NewSecret, now: Date): Sql => sql`
  insert into oauth_app_secrets (id, app_id, hash, prefix, created_at)
  values (${id}, ${appId}, ${hash}, ${prefix}, ${now})`

const SecretRow = Type.Object({ prefix: Type.String(), created_at: Type.String(), expires_at: nullable })

/** The secrets of an app that are alive, the present one first: how each begins, and when it ends. */
export const listAppSecrets = (directory: Queries, appId: string, now: Date) =>
  directory.many(
    SecretRow,
    sql`
    select prefix, created_at, expires_at from oauth_app_secrets
    where app_id = ${appId} and (expires_at is null or expires_at > ${now}) order by id desc`,
  )

/** The present secret ends at `until`; one that was ending is forgotten, so that two are alive at most. */
export const retireSecrets = (appId: string, until: Date): Sql[] => [
  sql`delete from oauth_app_secrets where app_id = ${appId} and expires_at is not null`,
  sql`update oauth_app_secrets set expires_at = ${until} where app_id = ${appId} and expires_at is null`,
]

const ClientRow = Type.Object({ ...AppRow.properties, proven: Type.Boolean() })

/** An app that is enabled, and whether the hash is that of a secret of its that is alive. */
export const findClient = (directory: Queries, id: string, secretHash: Buffer | null, now: Date) =>
  directory.maybeOne(
    ClientRow,
    sql`
    select ${columns}, exists (
      select 1 from oauth_app_secrets s
      where s.app_id = oauth_apps.id and s.hash = ${secretHash} and (s.expires_at is null or s.expires_at > ${now})
    ) as proven
    from oauth_apps where id = ${id} and disabled_at is null and deleted_at is null`,
  )
