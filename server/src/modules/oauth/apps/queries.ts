import { type Static, Type } from 'typebox'
import type { DirectoryDb, DirectoryTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'

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

export const insertApp = (tx: DirectoryTx, app: AppRow): void =>
  tx.write`
  insert into oauth_apps (${columns})
  values (${app.id}, ${app.workspace_id}, ${app.name}, ${app.redirect_uris}, ${app.scopes}, ${app.confidential},
    ${app.disabled_at}, ${app.created_at}, ${app.updated_at})`

/** Including disabled apps, without deleted ones. */
export const findApp = (directory: DirectoryDb, id: string) =>
  directory.maybeOne(AppRow)`select ${columns} from oauth_apps where id = ${id} and deleted_at is null`

/** As `findApp`, among the apps that the workspace registered. */
export const findAppOf = (directory: DirectoryDb, workspaceId: string, id: string) =>
  directory.maybeOne(AppRow)`
    select ${columns} from oauth_apps
    where id = ${id} and workspace_id = ${workspaceId} and deleted_at is null`

/** Apps that the workspace registered, newest first. */
export const listApps = (directory: DirectoryDb, workspaceId: string) =>
  directory.many(AppRow)`
    select ${columns} from oauth_apps where workspace_id = ${workspaceId} and deleted_at is null
    order by id desc limit 1000`

const AppStateRow = Type.Object({
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  disabled: Type.Boolean(),
  deleted: Type.Boolean(),
})

/** Including deleted apps. */
export const findAppState = (directory: DirectoryDb, id: string) =>
  directory.maybeOne(AppStateRow)`
    select name, scopes, disabled_at is not null as disabled, deleted_at is not null as deleted from oauth_apps
    where id = ${id}`

export const lockApp = (tx: DirectoryTx, id: string) =>
  tx.maybeOne(AppRow)`select ${columns} from oauth_apps where id = ${id} and deleted_at is null for update`

export const saveApp = (tx: DirectoryTx, { id, name, redirect_uris, scopes, updated_at }: AppRow): void =>
  tx.write`
  update oauth_apps set name = ${name}, redirect_uris = ${redirect_uris}, scopes = ${scopes},
    updated_at = ${updated_at}
  where id = ${id}`

/** `null` enables it. */
export const saveDisabled = (tx: DirectoryTx, id: string, disabledAt: Date | null, now: Date): void =>
  tx.write`
  update oauth_apps set disabled_at = ${disabledAt}, updated_at = ${now} where id = ${id}`

export const markDeleted = (tx: DirectoryTx, id: string, now: Date): void =>
  tx.write`
  update oauth_apps set deleted_at = ${now}, updated_at = ${now} where id = ${id} and deleted_at is null`

export interface NewSecret {
  id: string
  hash: Buffer
  prefix: string
}

/** Adds the current secret. The previous one must be retired first. */
export const insertSecret = (
  tx: DirectoryTx,
  appId: string,
  { id, hash, prefix }: NewSecret,
  now: Date,
): void =>
  tx.write`
  insert into oauth_app_secrets (id, app_id, hash, prefix, created_at)
  values (${id}, ${appId}, ${hash}, ${prefix}, ${now})`

const SecretRow = Type.Object({ prefix: Type.String(), created_at: Type.String(), expires_at: nullable })

/** Live secrets of an app, the current one first. */
export const listAppSecrets = (directory: DirectoryDb, appId: string, now: Date) =>
  directory.many(SecretRow)`
    select prefix, created_at, expires_at from oauth_app_secrets
    where app_id = ${appId} and (expires_at is null or expires_at > ${now}) order by id desc`

/** The current secret expires at `until`; an expiring one is deleted, so that at most two are live. */
export function retireSecrets(tx: DirectoryTx, appId: string, until: Date): void {
  tx.write`delete from oauth_app_secrets where app_id = ${appId} and expires_at is not null`
  tx.write`update oauth_app_secrets set expires_at = ${until} where app_id = ${appId} and expires_at is null`
}

const ClientRow = Type.Object({ ...AppRow.properties, proven: Type.Boolean() })

/** An enabled app; `proven` is true if the hash belongs to one of its live secrets. */
export const findClient = (directory: DirectoryDb, id: string, secretHash: Buffer | null, now: Date) =>
  directory.maybeOne(ClientRow)`
    select ${columns}, exists (
      select 1 from oauth_app_secrets s
      where s.app_id = oauth_apps.id and s.hash = ${secretHash} and (s.expires_at is null or s.expires_at > ${now})
    ) as proven
    from oauth_apps where id = ${id} and disabled_at is null and deleted_at is null`
