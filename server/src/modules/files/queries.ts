import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { raw } from '#kernel/db/sql.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { nullable } from '#kernel/schemas.ts'

const Row = Type.Object({
  id: Type.String(),
  name: nullable(Type.String()),
  media_type: Type.String(),
  scope: Type.String(),
  size: nullable(Type.Integer()),
  sha256: nullable(Type.String()),
  stored_at: nullable(Type.String()),
  erased_at: nullable(Type.String()),
  expires_at: nullable(Type.String()),
  created_at: Type.String(),
})
export type FileRow = Static<typeof Row>

const columns = raw(Object.keys(Row.properties).join(', '))

export const findFile = (db: Db, id: string) =>
  db.maybeOne(Row)`select ${columns} from files where workspace_id = ${db.workspaceId} and id = ${id}`

export const lockFile = (tx: WorkspaceTx, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from files where workspace_id = ${tx.workspaceId} and id = ${id} for update`

export const insertFile = (tx: WorkspaceTx, row: FileRow): void =>
  tx.write`insert into files ${values({ workspace_id: tx.workspaceId, ...row })}`

export const saveFile = (tx: WorkspaceTx, id: string, changed: Partial<FileRow>): void =>
  tx.write`update files set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`

export const deleteFile = (tx: WorkspaceTx, id: string): void =>
  tx.write`delete from files where workspace_id = ${tx.workspaceId} and id = ${id} and erased_at is not null`

const IdRow = Type.Object({ id: Type.String() })

/** Claims the files for a record. Returns the IDs of those that still exist. */
export const claimFiles = async (tx: WorkspaceTx, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    update files set expires_at = null
    where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[]) and erased_at is null
    returning id`
  return rows.map(({ id }) => id)
}

/** IDs of up to 1,000 files that no record has claimed in time. */
export const listUnclaimedFiles = async (db: Db, at: Date): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from files where workspace_id = ${db.workspaceId} and expires_at <= ${at} and erased_at is null
    order by expires_at limit 1000`
  return rows.map(({ id }) => id)
}

/** IDs of up to 1,000 erased files whose content may still exist, oldest first. */
export const listErasedFiles = async (db: Db): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from files where workspace_id = ${db.workspaceId} and erased_at is not null order by id limit 1000`
  return rows.map(({ id }) => id)
}
