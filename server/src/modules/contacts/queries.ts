import { Type } from 'typebox'
import { empty, sql } from '#kernel/db/sql.ts'
import type { Db } from '#kernel/db/tenant.ts'
import type { Writer } from '#kernel/db/transaction.ts'
import { type Contact, identityOf, searchTexts, stages } from './contact.ts'
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

const valuesOf = (tx: Writer, contact: Contact) => {
  const { names, details } = searchTexts(contact)
  const identity = identityOf(contact)
  return sql`${tx.workspaceId}::text, ${contact.id}::text, ${contact.first_name}::text, ${contact.last_name}::text,
      ${contact.email}::text, ${contact.phone}::text, ${contact.stage}::text, ${contact.source}::text,
      ${contact.tags}::text[], ${contact.notes}::text, ${contact.owner_id}::text, ${contact.ai_auto_response}::text,
      ${contact.created_at}::timestamptz, ${contact.updated_at}::timestamptz, ${contact.erased_at}::timestamptz,
      ${names}::text, ${details}::text, ${identity.phone}::text, ${identity.email}::text`
}

export const insertContact = (tx: Writer, contact: Contact): void =>
  tx.write(sql`
    insert into contacts (workspace_id, ${columns}, search_names, search_details, phone_key, email_key)
    values (${valuesOf(tx, contact)})`)

/** Until the transaction ends nobody else looks for, or adds, a contact of the same number or address this way. */
export function lockIdentities(tx: Writer, contact: Contact): void {
  const { phone, email } = identityOf(contact)
  const keys = [`phone ${phone}`, ...(email === null ? [] : [`email ${email}`])]
  // All in one order, or two would wait for each other.
  tx.write(sql`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(${tx.workspaceId} || ' ' || name, 0) as key from unnest(${keys}::text[]) as name
      order by key
    ) as identities`)
}

/**
 * The contact of the same number, or else address, locked; else this one, added. The identities are locked in a
 * statement before, so that this one sees what others have committed until now.
 */
export const findOrInsertContact = (tx: Db & Writer, contact: Contact) => {
  const { phone, email } = identityOf(contact)
  return tx.one(
    ContactRow,
    sql`
    with found as materialized (
      -- Beside the look-up by id: under row-level security an expression in it would keep it off its index.
      select coalesce(
        (select min(id) from contacts where workspace_id = ${tx.workspaceId} and phone_key = ${phone}),
        (select min(id) from contacts where workspace_id = ${tx.workspaceId} and email_key = ${email})) as id
    ), known as (
      select ${columns} from contacts
      where workspace_id = ${tx.workspaceId} and id = (select found.id from found) and erased_at is null
      for update
    ), added as (
      insert into contacts (workspace_id, ${columns}, search_names, search_details, phone_key, email_key)
      select ${valuesOf(tx, contact)} where not exists (select from known)
      returning ${columns}
    )
    select * from known union all select * from added`,
  )
}

/** Writes every field; the caller holds the row's lock. */
export function saveContact(tx: Writer, contact: Contact): void {
  const { names, details } = searchTexts(contact)
  const identity = identityOf(contact)
  tx.write(sql`
    update contacts set first_name = ${contact.first_name}, last_name = ${contact.last_name}, email = ${contact.email},
      phone = ${contact.phone}, stage = ${contact.stage}, source = ${contact.source}, tags = ${contact.tags},
      notes = ${contact.notes}, owner_id = ${contact.owner_id}, ai_auto_response = ${contact.ai_auto_response},
      updated_at = ${contact.updated_at}, erased_at = ${contact.erased_at},
      search_names = ${names}, search_details = ${details}, phone_key = ${identity.phone}, email_key = ${identity.email}
    where workspace_id = ${tx.workspaceId} and id = ${contact.id}`)
}
