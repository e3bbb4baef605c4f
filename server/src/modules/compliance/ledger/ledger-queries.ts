import { type Static, Type } from 'typebox'
import { idleWorkers } from '#kernel/background/idle-workers.ts'
import type { Db, Queries, WorkspaceTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import { EntryRow, type LedgerEntry } from './ledger-entry.ts'

/** Unchained entries wake the idle workers that chain them. */
export const ledgerWorkers = idleWorkers('ledger_unchained')

const columns = sql`id, at, kind, subject_type, subject, contact_id, record_id, reason, channels, since, artifact_sha256,
      source, actor`

/** Adds entries and queues them for chaining. Takes no lock that other transactions wait for. */
export function insertEntries(tx: WorkspaceTx, entries: readonly LedgerEntry[]): void {
  const all = <K extends keyof LedgerEntry>(name: K) => entries.map((entry) => entry[name])
  tx.write`
    insert into ledger_entries (workspace_id, ${columns})
    select ${tx.workspaceId}, id, at, kind, subject_type, subject, contact_id, record_id, reason,
      string_to_array(channels, ' '), since, artifact_sha256, source, actor
    from unnest(${all('id')}::text[], ${all('at')}::timestamptz[], ${all('kind')}::text[], ${all('subject_type')}::text[],
      ${all('subject')}::text[], ${all('contact_id')}::text[], ${all('record_id')}::text[], ${all('reason')}::text[],
      ${entries.map(({ channels }) => channels.join(' '))}::text[], ${all('since')}::timestamptz[],
      ${all('artifact_sha256')}::text[], ${all('source')}::text[],
      ${entries.map(({ actor }) => JSON.stringify(actor))}::jsonb[]
    ) as added (id, at, kind, subject_type, subject, contact_id, record_id, reason, channels, since, artifact_sha256, source,
      actor)
    returning id`
  tx.write`
    insert into ledger_unchained (workspace_id, entry_id)
    select ${tx.workspaceId}, id from unnest(${all('id')}::text[]) as added (id) returning ${ledgerWorkers.wake}`
}

const WorkspaceRow = Type.Object({ workspace_id: Type.String() })

/** Workspaces with entries that are not chained yet. */
export const listUnchainedAcrossWorkspaces = async (queue: Queries): Promise<string[]> =>
  (await queue.many(WorkspaceRow)`select distinct workspace_id from ledger_unchained`).map(
    ({ workspace_id }) => workspace_id,
  )

const IdRow = Type.Object({ entry_id: Type.String() })

/** Ids of the oldest entries that are not chained yet, starting after an id. */
export const listUnchained = async (db: Db, after: string, limit: number): Promise<string[]> =>
  (
    await db.many(IdRow)`
      select entry_id from ledger_unchained
      where workspace_id = ${db.workspaceId} and entry_id > ${after} order by entry_id limit ${limit}`
  ).map(({ entry_id }) => entry_id)

/** Which of these entries are not chained yet. */
export const listUnchainedOf = async (db: Db, ids: readonly string[]): Promise<string[]> =>
  (
    await db.many(IdRow)`
      select entry_id from ledger_unchained
      where workspace_id = ${db.workspaceId} and entry_id = any (${ids}::text[])`
  ).map(({ entry_id }) => entry_id)

export const listEntriesById = (db: Db, ids: readonly string[]) =>
  db.many(EntryRow)`
    select ${columns} from ledger_entries
    where workspace_id = ${db.workspaceId} and id = any (${ids}::text[]) order by id`

export const Link = Type.Object({
  sequence: Type.Integer(),
  entry_id: Type.String(),
  previous: Type.String(),
  hash: Type.String(),
})
export type Link = Static<typeof Link>

/** The last link; undefined if nothing is chained. */
export const findHead = (db: Db) =>
  db.maybeOne(Link)`
    select sequence, entry_id, previous, hash from ledger_links
    where workspace_id = ${db.workspaceId} order by sequence desc limit 1`

export const insertLinks = (tx: WorkspaceTx, links: readonly Link[]): void =>
  tx.write`
    insert into ledger_links (workspace_id, sequence, entry_id, previous, hash)
    select ${tx.workspaceId}, sequence, entry_id, previous, hash
    from unnest(${links.map(({ sequence }) => sequence)}::integer[], ${links.map(({ entry_id }) => entry_id)}::text[],
      ${links.map(({ previous }) => previous)}::text[], ${links.map(({ hash }) => hash)}::text[]
    ) as added (sequence, entry_id, previous, hash)
    returning sequence`

export const deleteUnchained = (tx: WorkspaceTx, ids: readonly string[]): void =>
  tx.write`
    delete from ledger_unchained where workspace_id = ${tx.workspaceId} and entry_id = any (${ids}::text[])`

/** Links after a sequence number, in order. */
export const listLinks = (db: Db, after: number, limit: number) =>
  db.many(Link)`
    select sequence, entry_id, previous, hash from ledger_links
    where workspace_id = ${db.workspaceId} and sequence > ${after} order by sequence limit ${limit}`

/** The links of these entries. */
export const listLinksOf = (db: Db, ids: readonly string[]) =>
  db.many(Link)`
    select sequence, entry_id, previous, hash from ledger_links
    where workspace_id = ${db.workspaceId} and entry_id = any (${ids}::text[])`

const EntryIdRow = Type.Object({ id: Type.String() })

/** Ids of entries, in order, starting after an id. */
export const listEntryIds = async (db: Db, after: string, limit: number): Promise<string[]> =>
  (
    await db.many(EntryIdRow)`
      select id from ledger_entries
      where workspace_id = ${db.workspaceId} and id > ${after} order by id limit ${limit}`
  ).map(({ id }) => id)

/** Entries about a contact or one of these subjects, newest first. */
export const listEntriesAbout = (
  db: Db,
  { contactId, subjects }: { contactId: string; subjects: readonly string[] },
  limit: number,
) =>
  db.many(EntryRow)`
    select ${columns} from ledger_entries
    where workspace_id = ${db.workspaceId}
      and id = any (array(
        select id from ledger_entries where workspace_id = ${db.workspaceId} and contact_id = ${contactId}
        union
        select id from ledger_entries where workspace_id = ${db.workspaceId} and subject = any (${subjects}::text[])
        order by id desc limit ${limit}))
    order by id desc`
