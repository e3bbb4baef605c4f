import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock, tryLocks } from '#kernel/db/lock.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import { custom, equals, filters } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { reachSetting, within } from '#kernel/reach.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { reference, text } from '#kernel/records/fields.ts'
import { nullable } from '#kernel/schemas.ts'
import type { Point } from './contact-points.ts'
import { type Contact, StageSchema, contacts, searchTexts } from './contact.ts'

const { Row, columns } = contacts

const IdRow = Type.Object({ id: Type.String() })

const inReach = (db: Db) => within(db, sql`owner_id`)

/** Selects the ids of the contacts in reach; undefined where all are. */
export const findReachable = (db: Db): Sql | undefined =>
  db.reach === 'all'
    ? undefined
    : sql`select id from contacts where workspace_id = ${db.workspaceId} ${inReach(db)}`

/** An expression: the owner of a contact. The caller has locked the contact if what it writes must stay true. */
export const ownerOfContact = (db: Db, id: string | null): Sql =>
  sql`(select owner_id from contacts where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)})`

export const findContact = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from contacts where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)}`

export const lockContact = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from contacts where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)} for update`

export const listContactsById = (db: Db, ids: readonly string[]) =>
  db.many(Row)`
    select ${columns} from contacts where workspace_id = ${db.workspaceId} and id = any (${ids}::text[]) ${inReach(db)}`

const HeldRow = Type.Object({
  id: Type.String(),
  owner_id: nullable(Type.String()),
  erased_at: nullable(Type.String()),
})
export type HeldContact = Static<typeof HeldRow>

/** Keeps these contacts from being erased until the transaction ends.  */
export const holdContacts = (tx: Db, ids: readonly string[]) =>
  tx.many(HeldRow)`
    select id, owner_id, erased_at from contacts
    where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[]) ${inReach(tx)} order by id for key share`

/** Locks those of these contacts that no other transaction has locked, and returns their ids. Waits for none. */
export const tryLockContacts = async (tx: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    select id from contacts where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[]) ${inReach(tx)}
    order by id for no key update skip locked`
  return rows.map(({ id }) => id)
}

export const contactFilters = filters({
  stage: equals(StageSchema),
  source: equals(text(80, 'Exactly this source.')),
  tag: custom(text(40, 'Contacts with this tag.')),
  q: custom(
    text(
      120,
      'Words that must all occur in the name or, with contacts:read:pii, in the email or phone. A word of one or two letters matches the beginning of a word, a longer one any part. Case and accents are ignored, and so are words without a letter or digit beside others.',
    ),
  ),
  owner_id: equals(reference('member', 'Contacts of this member.')),
})
type ContactFilters = Static<typeof contactFilters.query>

/** Contacts that are not erased, newest first. */
export const listContacts = (db: Db, query: ContactFilters, page: Page) =>
  db.many(Row)`
    select ${columns} from contacts
    where workspace_id = ${db.workspaceId} and erased_at is null ${inReach(db)}
      ${contactFilters.where(query)} ${page.keyset()}`

/** The same for a search by words or by tag. The database function explains why it is one. */
export const searchContacts = (
  db: Db,
  { tag, q: _, ...equal }: ContactFilters,
  { terms, withDetails }: { terms: string[]; withDetails: boolean },
  page: Page,
) =>
  db.many(Row)`
    select ${columns} from search_contacts(${db.workspaceId}, ${reachSetting(db.reach)}, ${terms}, ${withDetails},
      ${JSON.stringify(equal)}::json, ${tag ?? null}, ${page.before}, ${page.limit})`

export const insertContact = (tx: WorkspaceTx, contact: Contact) =>
  tx.write`
    insert into contacts ${values({ workspace_id: tx.workspaceId, ...contact, ...searchTexts(contact) })}`

/** Writes the changed columns. The caller holds the row's lock. */
export const saveContact = (tx: WorkspaceTx, contact: Contact, changed: Partial<Contact>) =>
  tx.write`
    update contacts set ${assignments({ ...changed, ...searchTexts(contact) })}
    where workspace_id = ${tx.workspaceId} and id = ${contact.id} ${inReach(tx)}`

/** Serializes transactions that match or add a contact by the same number or address; see `lockPersons`. */
export function lockPoints(tx: WorkspaceTx, points: readonly Point[]): void {
  if (points.length > 0) lock(tx, ...points.map(lockName))
}

/**
 * Locks these contacts and all that have one of the points at present, in the order of their ids. As an array, so that they are
 * found by their keys: PostgreSQL 15 joins a subquery to all contacts.
 */
export const lockHolders = (tx: Db, contactIds: readonly string[], points: readonly Point[]) =>
  tx.many(IdRow)`
    select id from contacts
    where workspace_id = ${tx.workspaceId} and id = any (array(
      select unnest(${contactIds}::text[]) collate "C"
      union all
      select had.contact_id
      from unnest(${points.map(({ type }) => type)}::text[], ${points.map(({ value }) => value)}::text[])
        as sought (kind, value)
      join contact_points had on had.workspace_id = ${tx.workspaceId} and had.kind = sought.kind
        and had.value = sought.value collate "C" and had.former_since is null))
    order by id for update`

const lockName = ({ type, value }: Point) => `${type} ${value}`

/** Takes the same locks as far as they are free, and returns the points that it locked. Waits for none. */
export const tryLockPoints = async (tx: WorkspaceTx, points: readonly Point[]): Promise<Point[]> => {
  const locked = new Set(await tryLocks(tx, points.map(lockName)))
  return points.filter((point) => locked.has(lockName(point)))
}

const HolderRow = Type.Intersect([Row, Type.Object({ email_holder: nullable(Type.String()) })])

/**
 * The contact with the phone number at present, or else with the email address, locked. Of several, the oldest whose own it
 * is, else the oldest whose leads brought it. `email_holder`: the contact with the email address.
 */
export const lockHolder = (tx: Db, points: readonly Point[]) =>
  tx.maybeOne(HolderRow)`
    with holders as materialized (
      select distinct on (had.kind) had.kind, had.contact_id
      from unnest(${points.map(({ type }) => type)}::text[], ${points.map(({ value }) => value)}::text[])
        as sought (kind, value)
      join contact_points had on had.workspace_id = ${tx.workspaceId} and had.kind = sought.kind
        and had.value = sought.value collate "C" and had.former_since is null
      order by had.kind, had.source, had.contact_id
    )
    select ${columns}, (select contact_id from holders where kind = 'email') as email_holder
    from contacts
    where workspace_id = ${tx.workspaceId} and id = (select contact_id from holders order by kind desc limit 1)
      and erased_at is null ${inReach(tx)}
    for update`
