import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { within } from '#kernel/reach.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import type { Listing } from './listing.ts'

const text = nullable(Type.String())
const OpenHouseRow = Type.Object({
  id: Type.String(),
  status: Type.String(),
  street_number: text,
  street_name: text,
  unit_number: text,
  city: text,
  list_agent_id: text,
  seller_contact_id: text,
  starts_at: Timestamp,
  ends_at: Timestamp,
})
export type HeldOpenHouse = Static<typeof OpenHouseRow>

/**
 * Open houses that overlap the range, with their listings, in chronological order. Canceled, expired, and withdrawn
 * listings are excluded.
 */
export const listOpenHousesWithin = (
  db: Db,
  { from, to }: { from: Date; to: Date },
  listAgentId: string | undefined,
  limit: number,
) =>
  db.many(OpenHouseRow)`
    select id, status, street_number, street_name, unit_number, city, list_agent_id, seller_contact_id, starts_at, ends_at
    from listing_open_houses as held
      join listings on listings.workspace_id = ${db.workspaceId} and listings.id = listing_id
    where held.workspace_id = ${db.workspaceId}
      and starts_at > ${from}::timestamptz - interval '1 day' and starts_at < ${to} and ends_at > ${from}
      and deleted_at is null and status not in ('canceled', 'expired', 'withdrawn') ${within(db, sql`list_agent_id`)}
      ${listAgentId === undefined ? empty : sql`and list_agent_id = ${listAgentId}`}
    order by starts_at, id limit ${limit}`

/** Rewrites the open houses of a listing. The caller must hold the row lock. */
export function replaceOpenHouses(tx: WorkspaceTx, listing: Listing): void {
  tx.write`
    delete from listing_open_houses where workspace_id = ${tx.workspaceId} and listing_id = ${listing.id}`
  insertOpenHouses(tx, listing)
}

export function insertOpenHouses(tx: WorkspaceTx, { id, open_houses }: Listing): void {
  if (open_houses.length > 0)
    tx.write`
      insert into listing_open_houses (workspace_id, listing_id, starts_at, ends_at)
      select ${tx.workspaceId}, ${id}, times.starts_at, times.ends_at from ${timesOf(open_houses)} as times (starts_at, ends_at)
      on conflict do nothing`
}

const timesOf = (openHouses: Listing['open_houses']): Sql =>
  sql`unnest(${openHouses.map(({ starts_at }) => starts_at)}::timestamptz[],
      ${openHouses.map(({ ends_at }) => ends_at)}::timestamptz[])`
