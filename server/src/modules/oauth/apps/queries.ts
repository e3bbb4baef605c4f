import { Type } from 'typebox'
import type { DirectoryDb, DirectoryTx, WorkspaceTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import type { Page } from '#kernel/http/paging.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { type AppRow, appRecord } from './app.ts'

const { Row, columns } = appRecord

/** `secretHash` is null for a public app. */
export const insertApp = (tx: DirectoryTx, app: AppRow, secretHash: Buffer | null): void =>
  tx.write`insert into oauth_apps ${values({ ...app, secret_hash: secretHash })}`

/** Includes disabled apps, but not deleted ones. */
export const findApp = (directory: DirectoryDb, id: string) =>
  directory.maybeOne(Row)`select ${columns} from oauth_apps where id = ${id} and deleted_at is null`

/** Like `findApp`, but only among the apps that the workspace registered. */
export const findAppOf = (directory: DirectoryDb, workspaceId: string, id: string) =>
  directory.maybeOne(Row)`
    select ${columns} from oauth_apps
    where id = ${id} and workspace_id = ${workspaceId} and deleted_at is null`

/** A page of the apps that the workspace registered, newest first; without `page`, at most 1,000. */
export const listApps = (directory: DirectoryDb, workspaceId: string, page?: Page) =>
  directory.many(Row)`
    select ${columns} from oauth_apps where workspace_id = ${workspaceId} and deleted_at is null
    ${page?.keyset() ?? sql`order by id desc limit 1000`}`

const AppStateRow = Type.Object({
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  disabled: Type.Boolean(),
  deleted: Type.Boolean(),
})

/** Includes deleted apps. */
export const findAppState = (directory: DirectoryDb, id: string) =>
  directory.maybeOne(AppStateRow)`
    select name, scopes, disabled_at is not null as disabled, deleted_at is not null as deleted from oauth_apps
    where id = ${id}`

export const lockApp = (tx: DirectoryTx, id: string) =>
  tx.maybeOne(Row)`select ${columns} from oauth_apps where id = ${id} and deleted_at is null for update`

/** Like `lockApp`, but only among the apps that the workspace registered. */
export const lockAppOf = (tx: WorkspaceTx, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from oauth_apps
    where id = ${id} and workspace_id = ${tx.workspaceId} and deleted_at is null for update`

/** Writes the changed columns. The caller holds the row's lock. */
export const saveApp = (tx: DirectoryTx, id: string, changed: Partial<AppRow>): void =>
  tx.write`update oauth_apps set ${assignments(changed)} where id = ${id}`

/** Writes the changed columns and a new secret. The current secret becomes the previous one. */
export const saveNewClientSecret = (
  tx: DirectoryTx,
  id: string,
  hash: Buffer,
  changed: Partial<AppRow>,
): void =>
  tx.write`
    update oauth_apps set previous_secret_hash = secret_hash, secret_hash = ${hash}, ${assignments(changed)}
    where id = ${id}`

export const markDeleted = (tx: DirectoryTx, id: string, now: Date): void =>
  tx.write`
  update oauth_apps set deleted_at = ${now}, updated_at = ${now} where id = ${id} and deleted_at is null`

/** Deletes previous secrets that have expired. */
export const deletePreviousClientSecrets = (directory: DirectoryDb, now: Date) =>
  directory.run`
    update oauth_apps set previous_secret_hash = null, previous_secret_until = null
    where previous_secret_until <= ${now}`

const ClientRow = Type.Intersect([Row, Type.Object({ proven: Type.Boolean() })])

/** An enabled app; `proven` is true if the hash belongs to one of its live secrets. */
export const findClient = (directory: DirectoryDb, id: string, secretHash: Buffer | null, now: Date) =>
  directory.maybeOne(ClientRow)`
    select ${columns},
      (secret_hash = ${secretHash}
        or previous_secret_hash = ${secretHash} and previous_secret_until > ${now}) is true as proven
    from oauth_apps where id = ${id} and disabled_at is null and deleted_at is null`
