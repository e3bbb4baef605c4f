import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { custom, equals, filters, oneOf } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { isId } from '#kernel/ids.ts'
import { within } from '#kernel/reach.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { reference } from '#kernel/records/fields.ts'
import { type DocumentRow, signingContactIds, documentRecord } from './document.ts'
import { documentStatuses } from './statuses.ts'

const { Row, columns } = documentRecord

const inReach = (db: Db) => within(db, sql`owner_id`)

export const findDocument = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from documents where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)}`

/** The subset of these signed files whose documents are in reach. */
export const listReachableFiles = async (db: Db, fileIds: readonly string[]): Promise<string[]> => {
  const rows = await db.many(Type.Object({ id: Type.String() }))`
    select file_id as id from documents
    where workspace_id = ${db.workspaceId} and file_id = any (${fileIds}::text[]) ${inReach(db)}`
  return rows.map(({ id }) => id)
}

export const lockDocument = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from documents
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)} for update`

/** Locks the documents that have one of these contacts or email addresses among the signers, in ID order. */
export const lockDocumentsOf = (tx: Db, persons: readonly string[]) =>
  tx.many(Row)`
    select ${columns} from documents
    where workspace_id = ${tx.workspaceId} ${inReach(tx)} and id = any (array(
      select document_id from document_persons
      where workspace_id = ${tx.workspaceId} and person = any (${persons}::text[] collate "C")))
    order by id for update`

export const documentFilters = filters({
  deal_id: equals(reference('deal', 'Return only documents of this deal.')),
  contact_id: custom(reference('contact', 'Return only documents that this contact signs.')),
  status: oneOf(Type.Enum(documentStatuses)),
})
type DocumentFilters = Static<typeof documentFilters.query>

/**
 * Matches by contact ID only. `document_persons` also holds email addresses, but those are for erasures: many callers
 * see addresses masked and must not be able to search by them.
 */
function signedBy(db: Db, contactId: string | undefined): Sql {
  if (contactId === undefined) return empty
  return isId(contactId)
    ? sql`and id = any (array(
        select document_id from document_persons
        where workspace_id = ${db.workspaceId} and person = ${contactId}))`
    : sql`and false`
}

export const listDocuments = (db: Db, query: DocumentFilters, page: Page) =>
  db.many(Row)`
    select ${columns} from documents
    where workspace_id = ${db.workspaceId} ${inReach(db)} ${documentFilters.where(query)}
      ${signedBy(db, query.contact_id)} ${page.keyset()}`

const IdRow = Type.Object({ id: Type.String() })

/** The ID of the document with this provider ID on the connection. */
export const findAttached = async (
  db: Db,
  connectionId: string,
  providerDocumentId: string,
): Promise<string | undefined> => {
  const row = await db.maybeOne(IdRow)`
    select id from documents
    where workspace_id = ${db.workspaceId} and connection_id = ${connectionId}
      and provider_document_id = ${providerDocumentId}`
  return row?.id
}

/** Serializes requests that attach the same document. */
export const lockAttached = (tx: WorkspaceTx, connectionId: string, providerDocumentId: string): void =>
  lock(tx, `document ${connectionId} ${providerDocumentId}`)

/** Up to 200 documents of a connection that await signatures, newest first. Only those created from templates. */
export const listOpenOfConnection = (db: Db, connectionId: string) =>
  db.many(Row)`
    select ${columns} from documents
    where workspace_id = ${db.workspaceId} and connection_id = ${connectionId} and status in ('draft', 'sent', 'viewed')
      and template_id is not null and provider_document_id is not null
    order by id desc limit 200`

/** IDs of documents that are due for a check, longest overdue first. */
export const listDueDocuments = async (db: Db, at: Date, limit: number): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from documents where workspace_id = ${db.workspaceId} and look_at <= ${at}
    order by look_at limit ${limit}`
  return rows.map(({ id }) => id)
}

/** IDs of documents that Gable creates and that were not sent to their signers, since before a time. */
export const listUnsentDocuments = async (db: Db, before: Date): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from documents
    where workspace_id = ${db.workspaceId} and status = 'draft' and template_id is not null
      and void_requested_at is null and created_at < ${before} ${inReach(db)}
    order by id`
  return rows.map(({ id }) => id)
}

/** Sets when to check the document next; null for never. Does not change the document's version. */
export const saveNextLook = (tx: WorkspaceTx, id: string, at: Date | null): void =>
  tx.write`update documents set look_at = ${at} where workspace_id = ${tx.workspaceId} and id = ${id}`

const stored = ({ signers, ...row }: Partial<DocumentRow>) => ({
  ...row,
  ...(signers === undefined ? {} : { signers: JSON.stringify(signers) }),
})

export function insertDocument(tx: WorkspaceTx, row: DocumentRow, lookAt: Date): void {
  tx.write`
    insert into documents ${values({ workspace_id: tx.workspaceId, ...stored(row), look_at: lookAt })}`
  insertPersons(tx, row)
}

/** Writes the changed columns. The caller must hold the row lock. */
export function saveDocument(tx: WorkspaceTx, after: DocumentRow, changed: Partial<DocumentRow>): void {
  tx.write`
    update documents set ${assignments(stored(changed))}
    where workspace_id = ${tx.workspaceId} and id = ${after.id} ${inReach(tx)}`
  if (!('signers' in changed)) return
  tx.write`
    delete from document_persons where workspace_id = ${tx.workspaceId} and document_id = ${after.id}`
  insertPersons(tx, after)
}

/** Indexes contacts by ID and other signers by email address, so that an erasure can find the document. */
function insertPersons(tx: WorkspaceTx, row: DocumentRow): void {
  const addresses = row.signers.flatMap(({ contact_id, email }) =>
    contact_id === null ? (email?.toLowerCase() ?? []) : [],
  )
  const persons = [...signingContactIds(row), ...addresses]
  if (persons.length === 0) return
  tx.write`
    insert into document_persons (workspace_id, person, document_id)
    select ${tx.workspaceId}, person, ${row.id} from unnest(${persons}::text[]) as concerned (person)
    on conflict do nothing`
}
