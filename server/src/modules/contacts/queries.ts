import { Type } from 'typebox'
import { empty, sql } from '#kernel/db/sql.ts'
import type { Db } from '#kernel/db/tenant.ts'
import type { Writer } from '#kernel/db/transaction.ts'
import { type Contact, stages, searchTexts } from './contact.ts'
import type { ContactFilters } from './schemas.ts'

const text = Type.Union([Type.String(), Type.Null()])

const ContactRow = Type.Object({
  id: Type.String(),
  first_name: text,
  last_name: text,
  email: text,
  phone: text,
  stage: Type.Enum(stages),
  source: text,
  tags: Type.Array(Type.String()),
  notes: text,
  owner_id: text,
  ai_auto_response: Type.Enum(['active', 'paused']),
  created_at: Type.String(),
  updated_at: Type.String(),
  erased_at: text,
})

const columns = sql`id, first_name, last_name, email, phone, stage, source, tags, notes, owner_id, ai_auto_response,
  created_at, updated_at, erased_at`

export const findContact = (db: Db, id: string) =>
  db.maybeOne(
    ContactRow,
    sql`
    select ${columns} from contacts where workspace_id = ${db.workspaceId} and id = ${id}`,
  )

export const lockContact = (tx: Db, id: string) =>
  tx.maybeOne(
    ContactRow,
    sql`
    select ${columns} from contacts where workspace_id = ${tx.workspaceId} and id = ${id} for update`,
  )

/** Contacts that are not erased, newest first. */
export const listContacts = (
  db: Db,
  { stage, source, owner_id }: Omit<ContactFilters, 'q' | 'tag'>,
  page: { before: string | null; limit: number },
) =>
  db.many(
    ContactRow,
    sql`
    select ${columns} from contacts
    where workspace_id = ${db.workspaceId} and erased_at is null
      ${stage === undefined ? empty : sql`and stage = ${stage}`}
      ${source === undefined ? empty : sql`and source = ${source}`}
      ${owner_id === undefined ? empty : sql`and owner_id = ${owner_id}`}
      ${page.before === null ? empty : sql`and id < ${page.before}`}
    order by id desc limit ${page.limit}`,
  )

/** The same, where a word or a tag is asked for. The function in the database says why it is one. */
export const searchContacts = (
  db: Db,
  { stage, source, tag, owner_id }: Omit<ContactFilters, 'q'>,
  { terms, withDetails }: { terms: string[]; withDetails: boolean },
  page: { before: string | null; limit: number },
) =>
  db.many(
    ContactRow,
    sql`
    select ${columns} from search_contacts(${terms}, ${withDetails}, ${stage ?? null}, ${source ?? null}, ${tag ?? null},
      ${owner_id ?? null}, ${page.before}, ${page.limit})`,
  )

export function insertContact(tx: Writer, contact: Contact): void {
  const { names, details } = searchTexts(contact)
  tx.write(sql`
    insert into contacts (workspace_id, ${columns}, search_names, search_details)
    values (${tx.workspaceId}, ${contact.id}, ${contact.first_name}, ${contact.last_name}, ${contact.email},
      ${contact.phone}, ${contact.stage}, ${contact.source}, ${contact.tags}, ${contact.notes}, ${contact.owner_id},
      ${contact.ai_auto_response}, ${contact.created_at}, ${contact.updated_at}, ${contact.erased_at},
      ${names}, ${details})`)
}

/** Writes every field; the caller holds the row's lock. */
export function saveContact(tx: Writer, contact: Contact): void {
  const { names, details } = searchTexts(contact)
  tx.write(sql`
    update contacts set first_name = ${contact.first_name}, last_name = ${contact.last_name}, email = ${contact.email},
      phone = ${contact.phone}, stage = ${contact.stage}, source = ${contact.source}, tags = ${contact.tags},
      notes = ${contact.notes}, owner_id = ${contact.owner_id}, ai_auto_response = ${contact.ai_auto_response},
      updated_at = ${contact.updated_at}, erased_at = ${contact.erased_at},
      search_names = ${names}, search_details = ${details}
    where workspace_id = ${tx.workspaceId} and id = ${contact.id}`)
}
