import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { conditionsWith } from '#kernel/db/slice.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { reachSetting } from '#kernel/db/tenant.ts'
import { custom, equals, filters, oneOf } from '#kernel/http/filters.ts'
import { dateOf, monthsOf, newestOf } from '#kernel/http/newest-of.ts'
import type { Page } from '#kernel/http/paging.ts'
import { within } from '#kernel/reach.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { reference } from '#kernel/records/fields.ts'
import { LocalDate, nullable } from '#kernel/schemas.ts'
import { boardFilters } from './board/filter-queries.ts'
import { insertDates, saveDates } from './date-queries.ts'
import { type DealRow, contactsOf, dealRecord, searchedOf, dealStatuses } from './deal.ts'

const Staged = Type.Intersect([dealRecord.Row, Type.Object({ stage_probability: Type.Integer() })])

const inReach = (db: Db) => within(db, sql`owner_id`)

const staged = (db: Db) => sql`${dealRecord.columns}, (
    select s.probability from pipeline_stages s
    where s.workspace_id = ${db.workspaceId} and s.pipeline_id = deals.pipeline_id and s.id = deals.stage_id
  ) as stage_probability`

export const findDeal = (db: Db, id: string) =>
  db.maybeOne(Staged)`
    select ${staged(db)} from deals
    where workspace_id = ${db.workspaceId} and id = ${id} and deleted_at is null ${inReach(db)}`

/** Open and won deals of a contact, newest first. */
export const listDealsOf = (db: Db, contactId: string) =>
  db.many(Staged)`
    select ${staged(db)} from deals
    where workspace_id = ${db.workspaceId} and status in ('open', 'won') and deleted_at is null ${inReach(db)}
      ${ofContact(db, contactId)}
    order by id desc limit 100`

export const findNewestOpenDeal = (db: Db, contactId: string) =>
  db.maybeOne(Staged)`
    select ${staged(db)} from deals
    where workspace_id = ${db.workspaceId} and status = 'open' and deleted_at is null ${inReach(db)}
      ${ofContact(db, contactId)}
    order by id desc limit 1`

/** Locks a deal, even a deleted one. */
export const lockDeal = (tx: Db, id: string) =>
  tx.maybeOne(dealRecord.Row)`
    select ${dealRecord.columns} from deals
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)} for update`

const IdRow = Type.Object({ id: Type.String() })

/** The subset of these deals within reach. */
export const listReachableDeals = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from deals
    where workspace_id = ${db.workspaceId} and id = any (${ids}::text[]) and deleted_at is null ${inReach(db)}`
  return rows.map(({ id }) => id)
}

const NamedRow = Type.Object({ contact_id: Type.String() })

/** The contacts of a deal, even a deleted one. */
export const listContactsOfDeal = async (tx: Db, id: string): Promise<string[]> => {
  const rows = await tx.many(NamedRow)`
    select contact_id from deal_contacts where workspace_id = ${tx.workspaceId} and deal_id = ${id}`
  return rows.map(({ contact_id }) => contact_id)
}

/** Locks all deals with a contact, including deleted ones. */
export const lockDealsOf = (tx: Db, contactId: string) =>
  tx.many(dealRecord.Row)`
    select ${dealRecord.columns} from deals
    where workspace_id = ${tx.workspaceId} and id = any (array(
      select deal_id from deal_contacts where workspace_id = ${tx.workspaceId} and contact_id = ${contactId}))
    order by id for update`

const day = (operator: Sql, description: string) => ({
  schema: { ...LocalDate, description } as typeof LocalDate,
  condition: (name: Sql, value: unknown) => sql`${name} ${operator} ${value}::date`,
  column: 'expected_close_date',
})

export const dealFilters = filters({
  pipeline_id: equals(reference('pipeline', 'Return only deals in this pipeline.')),
  stage_id: equals(reference('stage', 'Return only deals in this stage.')),
  status: oneOf(Type.Enum(dealStatuses)),
  owner_id: boardFilters.owner_id,
  contact_id: custom(reference('contact', 'Return only deals of this contact: one of their `contact_ids`.')),
  listing_id: equals(reference('listing', 'Return only deals of this listing.')),
  type: boardFilters.type,
  expected_close_from: day(sql`>=`, 'Return only deals that are expected to close on or after this day.'),
  expected_close_to: day(sql`<=`, 'Return only deals that are expected to close on or before this day.'),
  q: boardFilters.q,
})
type DealFilters = Static<typeof dealFilters.query>

const ofContact = (db: Db, contactId: string | undefined) =>
  contactId === undefined
    ? empty
    : sql`and id = any (array(
        select deal_id from deal_contacts
        where workspace_id = ${db.workspaceId} and contact_id = ${contactId} and is_party))`

/** Deals that are not deleted, newest first. */
export function listDeals(db: Db, query: DealFilters, page: Page) {
  const { expected_close_from: from, expected_close_to: to } = query
  const where = sql`${dealFilters.where(query)} ${ofContact(db, query.contact_id)}`
  const isNarrow = query.contact_id !== undefined
  const series = {
    table: 'deals',
    owner: 'owner_id',
    rows: sql`and deleted_at is null`,
    where,
    months: monthsOf('close_month', dateOf(from), dateOf(to)),
  }
  return db.many(Staged)`
    select ${staged(db)} from deals
    where workspace_id = ${db.workspaceId} and deleted_at is null ${inReach(db)}
      ${where} ${isNarrow ? empty : newestOf(db, page, series)} ${page.keyset()}`
}

/** Searches deals by words. The comment on the database function explains why it is a function. */
export const searchDeals = (
  db: Db,
  { contact_id, expected_close_from, expected_close_to, q: _, ...equal }: DealFilters,
  terms: string[],
  page: Page,
) =>
  db.many(Staged)`
    select ${staged(db)} from search_deals(${db.workspaceId}, ${reachSetting(db.reach)}, ${terms}, ${conditionsWith(equal, page.selection)}::json,
      ${contact_id ?? null}, ${expected_close_from ?? null}::date, ${expected_close_to ?? null}::date, ${page.before},
      ${page.limit}) as deals`

/** Serializes arrays of objects to JSON, because pg would turn them into PostgreSQL arrays. */
const stored = ({ participants, ...deal }: Partial<DealRow>) => ({
  ...deal,
  ...(participants === undefined ? {} : { participants: JSON.stringify(participants) }),
})

const NameRow = Type.Object({ id: Type.String(), name: nullable(Type.String()) })

/** Folds again the names of the next deals that an earlier version folded. Returns how many they were. */
export async function foldNamesAgain(tx: WorkspaceTx, limit: number): Promise<number> {
  const next = await tx.many(NameRow)`
    select id, name from deals
    where workspace_id = ${tx.workspaceId} and search_by is null ${inReach(tx)} order by id limit ${limit} for update`
  const made = next.map(searchedOf)
  tx.write`
    update deals set search_name = made.search_name, search_by = made.search_by
    from unnest(${next.map(({ id }) => id)}::text[], ${made.map((one) => one.search_name)}::text[],
      ${made.map((one) => one.search_by)}::smallint[]) as made (id, search_name, search_by)
    where workspace_id = ${tx.workspaceId} and deals.id = made.id collate "C" ${inReach(tx)}`
  return next.length
}

export const insertDeal = (tx: WorkspaceTx, deal: DealRow): void => {
  tx.write`
    insert into deals ${values({ workspace_id: tx.workspaceId, ...stored(deal), ...searchedOf(deal) })}`
  saveContacts(tx, deal)
  insertDates(tx, deal)
}

/** Writes the changed columns. The caller must hold the row lock. */
export const saveDeal = (tx: WorkspaceTx, deal: DealRow, changed: Partial<DealRow>): void => {
  tx.write`
    update deals set ${assignments({ ...stored(changed), ...searchedOf(deal) })}
    where workspace_id = ${tx.workspaceId} and id = ${deal.id} ${inReach(tx)}`
  saveDates(tx, deal, changed)
  if (changed.contact_ids === undefined && changed.participants === undefined) return
  tx.write`
    delete from deal_contacts
    where workspace_id = ${tx.workspaceId} and deal_id = ${deal.id} and contact_id <> all (${contactsOf(deal)}::text[])`
  saveContacts(tx, deal)
}

/** Records the contacts of the deal. */
function saveContacts(tx: WorkspaceTx, deal: DealRow): void {
  const named = contactsOf(deal)
  if (named.length > 0)
    tx.write`
      insert into deal_contacts (workspace_id, contact_id, deal_id, is_party)
      select ${tx.workspaceId}, contact_id, ${deal.id}, contact_id = any (${deal.contact_ids}::text[])
      from unnest(${named}::text[]) as named (contact_id)
      on conflict (workspace_id, contact_id, deal_id) do update set is_party = excluded.is_party`
}
