import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock, lockFree } from '#kernel/db/lock.ts'
import { conditionsWith } from '#kernel/db/slice.ts'
import { type Sql, empty, join, raw, sql } from '#kernel/db/sql.ts'
import { reachSetting } from '#kernel/db/tenant.ts'
import { before, custom, equals, filters, from, oneOf, several } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { within, withinCreated } from '#kernel/reach.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { reference, text } from '#kernel/records/fields.ts'
import { nullable } from '#kernel/schemas.ts'
import type { Point } from './contact-points.ts'
import { type Contact, StageSchema, contacts, tagKey } from './contact.ts'
import { phoneParts } from './phone.ts'
import { fromHolders } from './point-queries.ts'
import { searchTexts } from './search-form.ts'

const { Row, columns } = contacts

const IdRow = Type.Object({ id: Type.String() })
const IdsRow = Type.Object({ ids: Type.Array(Type.String()) })

const inReach = (db: Db) => withinCreated(db, sql`created_by`, within(db, sql`owner_id`))

/** Selects the IDs of the contacts within reach; undefined if all are. */
export const findReachable = (db: Db): Sql | undefined =>
  db.reach === 'all'
    ? undefined
    : sql`select id from contacts where workspace_id = ${db.workspaceId} ${inReach(db)}`

/** An SQL expression for the owner of a contact. Lock the contact first if the written value must stay correct. */
export const ownerOfContact = (db: Db, id: string | null): Sql =>
  sql`(select owner_id from contacts where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)})`

export const findContact = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from contacts where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)}`

export const lockContact = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from contacts where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)} for update`

const LockedRow = Type.Object({
  id: Type.String(),
  owner_id: nullable(Type.String()),
  erased_at: nullable(Type.String()),
})
export type LockedContact = Static<typeof LockedRow>

/**
 * Selects contacts in ID order, and locks them in that order if `locking` is given. Forces one index lookup per
 * contact: PostgreSQL 15 would read every contact of the workspace to sort them if it planned the statement while there
 * were few.
 */
const selectInOrder = (db: Db, ids: Sql, locking: Sql, selected = sql`id`): Sql => sql`
  select found.* from (select distinct id from (${ids}) as wanted (id) order by id) as wanted, lateral (
    select ${selected} from contacts where workspace_id = ${db.workspaceId} and id = wanted.id ${inReach(db)}
    offset 0 ${locking}) as found`

const these = (ids: readonly string[]) => sql`select unnest(${ids}::text[]) collate "C"`

/** The subset of these contacts within reach. */
export const listReachableContacts = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from contacts where workspace_id = ${db.workspaceId} and id = any (${ids}::text[]) ${inReach(db)}`
  return rows.map(({ id }) => id)
}

export const listContactsById = (db: Db, ids: readonly string[]) =>
  db.many(Row)`${selectInOrder(db, these(ids), sql``, columns)}`

/** Prevents the erasure of these contacts until the transaction ends. */
export const lockContactsForShare = (tx: Db, ids: readonly string[]) =>
  tx.many(LockedRow)`${selectInOrder(tx, these(ids), sql`for key share`, sql`id, owner_id, erased_at`)}`

/** The subset of these contacts on which this transaction holds no lock, not even one taken by a foreign key. */
export const listUnlocked = async (tx: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    select id from contacts, (select pg_current_xact_id_if_assigned()::xid as mine) as this
    where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[]) and case
      when contacts.xmin = mine or contacts.xmax = mine then false
      when contacts.xmax = '0' then true
      else not exists (select from pg_get_multixact_members(contacts.xmax) as holder where holder.xid = mine) end`
  return rows.map(({ id }) => id)
}

/** Locks those of these contacts that no other transaction has locked, and returns their IDs. Never waits. */
export const lockFreeContacts = async (tx: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx.many(IdRow)`${selectInOrder(tx, these(ids), sql`for no key update skip locked`)}`
  return rows.map(({ id }) => id)
}

export const contactFilters = filters({
  stage: oneOf(StageSchema),
  source: equals(text(80, 'Return only contacts with exactly this source.')),
  tag: custom(text(40, 'Return only contacts with this tag, in any case.')),
  tags_all: custom(several(text(40), 30, 'Return only contacts with all of these tags, in any case.')),
  q: custom(
    text(
      120,
      'Words that must all occur in the name or, with `contacts:read:pii`, in the email or phone. A word of one or two letters matches the beginning of a word; a longer word matches any part. A phone number matches however it is written. Ignores case, accents, and marks such as apostrophes and hyphens, and words without a letter or digit if there are others.',
    ),
  ),
  owner_id: equals(reference('member', 'Return only contacts of this member.')),
  created_after: from('created_at', 'Return only contacts that were created at or after this time.'),
  created_before: before('created_at', 'Return only contacts that were created before this time.'),
  has: {
    schema: several(Type.Enum(['phone', 'email']), 2, 'Return only contacts that have all of these.'),
    condition: (_, names) =>
      join(
        (names as string[]).map((name) => sql`${raw(name)} is not null`),
        ' and ',
      ),
  },
  phone: custom(
    text(
      32,
      'Return only contacts that have this phone number now, themselves or through their leads, however it is written. Requires `contacts:read:pii`.',
    ),
  ),
  email: custom(
    text(
      254,
      'Return only contacts that have this email address now, themselves or through their leads, in any case. Requires `contacts:read:pii`.',
    ),
  ),
})
type ContactFilters = Static<typeof contactFilters.query>

/** Contacts that are not erased, newest first. */
export const listContacts = (db: Db, query: ContactFilters, page: Page, points: readonly Point[] = []) =>
  db.many(Row)`
    select ${columns} from contacts
    where workspace_id = ${db.workspaceId} and erased_at is null ${inReach(db)} ${contactFilters.where(query)}
      ${points.length === 0 ? empty : sql`and id = any (${holdersOfAll(db, points)})`} ${page.keyset()}`

/** The IDs of the contacts that currently have all of these points. */
const holdersOfAll = (db: Db, points: readonly Point[]): Sql => sql`array(
  select had.contact_id ${fromHolders(db, points)} group by had.contact_id
  having count(distinct had.kind) = ${new Set(points.map(({ type }) => type)).size})`

export const listHoldersOfAll = async (db: Db, points: readonly Point[]): Promise<string[]> => {
  const { ids } = await db.one(IdsRow)`select ${holdersOfAll(db, points)} as ids`
  return ids
}

/** Searches contacts by words or tags. The comment on the database function explains why it is a function. */
export const searchContacts = (
  db: Db,
  { stage, source, owner_id, created_after, created_before, has = [], tag, tags_all = [] }: ContactFilters,
  { terms, withDetails }: { terms: string[]; withDetails: boolean },
  page: Pick<Page, 'before' | 'limit' | 'selection'>,
) => {
  const conditions = {
    stage,
    source,
    owner_id,
    created_at: {
      from: created_after,
      before: created_before,
    },
    ...Object.fromEntries(has.map((name) => [name, { given: true }])),
  }
  const tags = [...(tag === undefined ? [] : [tag]), ...tags_all].map(tagKey)
  return db.many(Row)`
    select ${columns} from find_contacts(${db.workspaceId}, ${reachSetting(db.reach)}, ${terms}, ${withDetails},
      ${conditionsWith(conditions, page.selection)}::json, ${tags}, ${page.before}, ${page.limit})`
}

/** The version of the code below that reads phones and folds names. One that reads or folds otherwise has another. */
const readBy = 2

/** The columns that follow from the others. */
const derived = (contact: Contact) => {
  const { phone_e164, phone_extension } = contact.phone_e164 === null ? phoneParts(contact.phone) : contact
  const texts = searchTexts({ ...contact, phone_e164 })
  return { phone_e164, phone_extension, ...texts, search_tags: contact.tags.map(tagKey), read_by: readBy }
}

/** Contacts that the version before this one read or folded otherwise. An index has exactly these. */
const isReadOtherwise = sql`(phone ~ '#|^[^0-9]*(00)?(5[245]|22[59])'
  or first_name ~ '[#;/|&]' or last_name ~ '[#;/|&]')`

/** The next contacts that an earlier version wrote. */
export const listToReadAgain = (db: Db, limit: number) =>
  db.many(Row)`
    select ${columns} from (
      (select * from contacts
        where workspace_id = ${db.workspaceId} and read_by is null ${inReach(db)} order by id limit ${limit})
      union all
      (select * from contacts
        where workspace_id = ${db.workspaceId} and read_by < ${readBy} and ${isReadOtherwise} ${inReach(db)}
        order by id limit ${limit})) as next
    limit ${limit}`

/** Locks those of these contacts that an earlier version wrote, in ID order. */
export const lockToReadAgain = (tx: Db, ids: readonly string[]) =>
  tx.many(Row)`
    select ${columns} from contacts
    where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[]) and read_by is distinct from ${readBy} ${inReach(tx)}
    order by id for update`

/** Writes what follows from the other columns of contacts, and no new version of them. The caller holds their locks. */
export const saveReadAgain = (tx: WorkspaceTx, read: readonly Contact[]): void => {
  const all = read.map(derived)
  const ids = read.map(({ id }) => id)
  const column = (name: 'phone_e164' | 'phone_extension' | 'search_names' | 'search_details') =>
    sql`${all.map((one) => one[name])}::text[]`
  const tags = all.map(({ search_tags }) => JSON.stringify(search_tags))
  tx.write`
    update contacts set phone_e164 = made.phone_e164, phone_extension = made.phone_extension,
      search_names = made.search_names, search_details = made.search_details,
      search_tags = array(select jsonb_array_elements_text(made.search_tags)), read_by = ${readBy}
    from unnest(${ids}::text[], ${column('phone_e164')}, ${column('phone_extension')}, ${column('search_names')},
      ${column('search_details')}, ${tags}::jsonb[])
      as made (id, phone_e164, phone_extension, search_names, search_details, search_tags)
    where workspace_id = ${tx.workspaceId} and contacts.id = made.id collate "C" ${inReach(tx)}`
}

/** Columns as the driver writes them: it would write a list as an array of PostgreSQL. */
const stored = ({ external_ids, ...row }: Partial<Contact>) =>
  external_ids === undefined ? row : { ...row, external_ids: JSON.stringify(external_ids) }

/** `created_by`: the key that creates it, if the key sees only what it created. */
export const insertContact = (tx: WorkspaceTx, contact: Contact, created_by: string | null = null) =>
  tx.write`
    insert into contacts ${values({ workspace_id: tx.workspaceId, created_by, ...stored(contact), ...derived(contact) })}`

/** Writes the changed columns. The caller must hold the row lock. */
export const saveContact = (tx: WorkspaceTx, contact: Contact, changed: Partial<Contact>) =>
  tx.write`
    update contacts set ${assignments({ ...stored(changed), ...derived(contact) })}
    where workspace_id = ${tx.workspaceId} and id = ${contact.id} ${inReach(tx)}`

/** The contacts to whom messages and calls that wait belong, although their author named this one. */
export const listNamedInstead = async (tx: Db, id: string): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    select distinct contact_id as id from (
      select contact_id from messages
      where workspace_id = ${tx.workspaceId} and addressed_contact_id = ${id}
        and status in ('queued', 'pending_approval')
      union all
      select contact_id from calls
      where workspace_id = ${tx.workspaceId} and addressed_contact_id = ${id} and status = 'queued') as waiting
    where contact_id is not null`
  return rows.map(({ id: other }) => other)
}

/** Serializes transactions that match or add a contact by the same phone number or email address; see `lockPersons`. */
export function lockPoints(tx: WorkspaceTx, points: readonly Point[]): void {
  if (points.length > 0) lock(tx, ...points.map(lockName))
}

/** Locks these contacts and all contacts that currently have one of the points, in ID order. */
export const lockHolders = (tx: Db, contactIds: readonly string[], points: readonly Point[]) =>
  tx.many(IdRow)`
    ${selectInOrder(tx, sql`${these(contactIds)} union all select had.contact_id ${fromHolders(tx, points)}`, sql`for update`)}`

const lockName = ({ type, value }: Point) => `${type} ${value}`

/** Takes the same locks where they are free, and returns the points that it locked. Never waits. */
export const lockFreePoints = async (tx: WorkspaceTx, points: readonly Point[]): Promise<Point[]> => {
  const locked = new Set(await lockFree(tx, points.map(lockName)))
  return points.filter((point) => locked.has(lockName(point)))
}

const HolderRow = Type.Intersect([Row, Type.Object({ email_holder: nullable(Type.String()) })])

/**
 * Locks and returns the contact that currently has the phone number, or else the email address. If there are several,
 * prefers the oldest that owns the point over the oldest whose leads brought it. `email_holder` is the contact with the
 * email address. Not one that the key `except` created.
 */
export const lockHolder = (tx: Db, points: readonly Point[], except?: string) =>
  tx.maybeOne(HolderRow)`
    with holders as materialized (
      select distinct on (had.kind) had.kind, had.contact_id ${fromHolders(tx, points)}
      ${except === undefined ? empty : sql`where not exists (select from contacts where workspace_id = ${tx.workspaceId} and id = had.contact_id and created_by = ${except} ${inReach(tx)})`}
      order by had.kind, had.source, had.contact_id
    )
    select ${columns}, (select contact_id from holders where kind = 'email') as email_holder
    from contacts
    where workspace_id = ${tx.workspaceId} and id = (select contact_id from holders order by kind desc limit 1)
      and erased_at is null ${inReach(tx)}
    for update`
