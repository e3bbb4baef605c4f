import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { empty, sql } from '#kernel/db/sql.ts'
import { within } from '#kernel/reach.ts'
import { LocalDate, nullable } from '#kernel/schemas.ts'
import { ShownAddress } from '../contacts/public.ts'
import { type DealRow, dateFields, datesOf } from './deal.ts'

const DateRow = Type.Object({
  id: Type.String(),
  name: nullable(Type.String()),
  status: Type.String(),
  owner_id: nullable(Type.String()),
  contact_ids: Type.Array(Type.String()),
  address: nullable(ShownAddress),
  field: Type.String(),
  day: LocalDate,
})
export type DatedDeal = Static<typeof DateRow>

/** Deal dates from `first` to `last`, in chronological order. Lost, cancelled, and deleted deals are excluded. */
export const listDealDatesWithin = (
  db: Db,
  { first, last }: { first: string; last: string },
  ownerId: string | undefined,
  limit: number,
) =>
  db.many(DateRow)`
    select id, name, status, deals.owner_id, contact_ids, address, field, day
    from deal_dates join deals on deals.workspace_id = ${db.workspaceId} and deals.id = deal_id
    where deal_dates.workspace_id = ${db.workspaceId} and day >= ${first} and day <= ${last}
      and deleted_at is null and status in ('open', 'won') ${within(db, sql`deal_dates.owner_id`)}
      ${ownerId === undefined ? empty : sql`and deal_dates.owner_id = ${ownerId}`}
    order by day, deal_id, field limit ${limit}`

export function insertDates(tx: WorkspaceTx, deal: DealRow): void {
  const dates = datesOf(deal)
  if (dates.length > 0)
    tx.write`
      insert into deal_dates (workspace_id, deal_id, owner_id, field, day)
      select ${tx.workspaceId}, ${deal.id}, ${deal.owner_id}, field, day
      from unnest(${dates.map(([field]) => field)}::text[], ${dates.map(([, day]) => day)}::date[]) as dated (field, day)
      on conflict do nothing`
}

/** Rewrites a deal's dates if one of them or the owner changed. The caller must hold the row lock. */
export function saveDates(tx: WorkspaceTx, deal: DealRow, changed: Partial<DealRow>): void {
  if (!['owner_id', ...dateFields].some((field) => field in changed)) return
  tx.write`delete from deal_dates where workspace_id = ${tx.workspaceId} and deal_id = ${deal.id}`
  insertDates(tx, deal)
}
