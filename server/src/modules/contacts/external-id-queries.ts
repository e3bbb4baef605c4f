import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { sql } from '#kernel/db/sql.ts'
import { within, withinCreated } from '#kernel/reach.ts'
import type { ExternalId } from './external-id.ts'

/** Serializes transactions that find or give these IDs. Take these locks before those of numbers and contacts. */
export const lockExternalIds = (tx: WorkspaceTx, ids: readonly ExternalId[]): void =>
  lock(tx, ...ids.map(({ system, id }) => `external ID ${system} ${id}`))

/** The form in which an ID is stored, and its place in a list. */
export interface StoredId {
  at: number
  system: string
  value: string
  erased: boolean
}

const FoundRow = Type.Object({ at: Type.Integer(), contact_id: Type.String(), erased: Type.Boolean() })
export type FoundContact = Static<typeof FoundRow>

/** The contacts within reach that have these IDs, as one of the authors gave them; the oldest first. */
export const listFound = (db: Db, ids: readonly StoredId[], authors: readonly string[]) =>
  db.many(FoundRow)`
    select sought.at, c.id as contact_id, sought.erased
    from unnest(${ids.map(({ at }) => at)}::integer[], ${ids.map(({ system }) => system)}::text[],
      ${ids.map(({ value }) => value)}::text[], ${ids.map(({ erased }) => erased)}::boolean[])
      as sought (at, system, value, erased), lateral (
      select contact_id from contact_external_ids
      where workspace_id = ${db.workspaceId} and system = sought.system collate "C" and value = sought.value collate "C"
        and erased = sought.erased and author = any (${authors}::text[]) offset 0) as had, lateral (
      select id from contacts where workspace_id = ${db.workspaceId} and id = had.contact_id 
        ${withinCreated(db, sql`created_by`, within(db, sql`owner_id`))} offset 0) as c
    order by sought.at, c.id`

/** Gives a contact these IDs. The caller holds their locks. */
export const insertExternalIds = (
  tx: WorkspaceTx,
  contactId: string,
  ids: readonly ExternalId[],
  author: string,
): void =>
  tx.write`
    insert into contact_external_ids (workspace_id, system, value, contact_id, author)
    select ${tx.workspaceId}, system, value, ${contactId}, ${author}
    from unnest(${ids.map(({ system }) => system)}::text[], ${ids.map(({ id }) => id)}::text[]) as given (system, value)
    on conflict (workspace_id, system, value, contact_id, author) do nothing`

/** Takes all IDs but these from a contact. The caller holds its lock. */
export const deleteOtherIds = (tx: WorkspaceTx, contactId: string, kept: readonly ExternalId[]): void =>
  tx.write`
    delete from contact_external_ids
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} and not erased and (system, value) not in (
      select system, value
      from unnest(${kept.map(({ system }) => system)}::text[], ${kept.map(({ id }) => id)}::text[]) as kept (system, value))`

/** Replaces the IDs of a contact with their hashes. The caller holds its lock. */
export const eraseExternalIds = (
  tx: WorkspaceTx,
  contactId: string,
  ids: readonly (ExternalId & { hash: string })[],
): void =>
  tx.write`
    update contact_external_ids had set value = given.hash, erased = true
    from unnest(${ids.map(({ system }) => system)}::text[], ${ids.map(({ id }) => id)}::text[],
      ${ids.map(({ hash }) => hash)}::text[]) as given (system, value, hash)
    where had.workspace_id = ${tx.workspaceId} and had.contact_id = ${contactId} and not had.erased
      and had.system = given.system collate "C" and had.value = given.value collate "C"`
