import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock, share } from '#kernel/db/lock.ts'
import { empty, raw, sql } from '#kernel/db/sql.ts'
import { within } from '#kernel/reach.ts'
import { type DealRow, dealRecord } from '../deal.ts'

const Placed = Type.Object({ id: Type.String(), stage_id: Type.String(), order_key: Type.String() })
/** Where a deal is on the board. */
export type Position = Static<typeof Placed>
const columns = sql`id, stage_id, order_key`

const dealsOf = (stageId: string) => `deals of stage ${stageId}`

/** Deals move in a stage one after the other. Taken before the lock of the deal that moves. */
export const lockStages = (tx: WorkspaceTx, ...stageIds: readonly string[]): void =>
  lock(tx, ...stageIds.map(dealsOf))

/** New deals may come to a stage at the same time, and not while one moves. */
export const shareStage = (tx: WorkspaceTx, stageId: string): void => share(tx, dealsOf(stageId))

/** A deal that is not hidden. */
export const findPlaced = (db: Db, id: string) =>
  db.maybeOne(Placed)`
    select ${columns} from deals
    where workspace_id = ${db.workspaceId} and id = ${id} and deleted_at is null ${inReach(db)}`

/** The first deal of a stage, hidden ones included, but not the one that moves. */
export const findFirst = (db: Db, stageId: string, moving = '') =>
  db.maybeOne(Placed)`
    select ${columns} from deals
    where workspace_id = ${db.workspaceId} and stage_id = ${stageId} and id <> ${moving}
    order by order_key, id limit 1`

/** The one after another. */
export const findNext = (db: Db, above: { id: string; stage_id: string; order_key: string }, moving = '') =>
  db.maybeOne(Placed)`
    select ${columns} from deals
    where workspace_id = ${db.workspaceId} and stage_id = ${above.stage_id}
      and (order_key, id) > (${above.order_key}, ${above.id}) and id <> ${moving}
    order by order_key, id limit 1`

/** All deals of a stage in their order, hidden ones included. */
export const listOrder = (db: Db, stageId: string) =>
  db.many(Placed)`
    select ${columns} from deals where workspace_id = ${db.workspaceId} and stage_id = ${stageId} order by order_key, id`

/** Gives deals these keys. */
export const saveOrder = (tx: WorkspaceTx, ids: readonly string[], keys: readonly string[]): void =>
  tx.write`
    update deals set order_key = placed.order_key
    from unnest(${ids}::text[], ${keys}::text[]) as placed (id, order_key)
    where deals.workspace_id = ${tx.workspaceId} and deals.id = placed.id collate "C"`

/** The last deal of a stage, hidden ones included. */
export const findLast = (db: Db, stageId: string) =>
  db.maybeOne(Placed)`
    select ${columns} from deals where workspace_id = ${db.workspaceId} and stage_id = ${stageId}
    order by order_key desc, id desc limit 1`

/** Locks deals of a stage, hidden ones included. */
export const lockDealsIn = (tx: Db, stageId: string, limit: number) =>
  tx.many(dealRecord.Row)`
    select ${dealRecord.columns} from deals where workspace_id = ${tx.workspaceId} and stage_id = ${stageId}
    order by id limit ${limit} for update`

/** Moves deals to a stage of the same pipeline and the same outcome. The caller holds their locks. */
export const moveToStage = (tx: WorkspaceTx, deals: readonly DealRow[]): void =>
  tx.write`
    update deals set stage_id = moved.stage_id, stage_changed_at = moved.stage_changed_at, order_key = moved.order_key,
      updated_at = moved.updated_at
    from json_to_recordset(${JSON.stringify(deals.map(placeOf))}::json)
      as moved (id text, stage_id text, stage_changed_at timestamptz, order_key text, updated_at timestamptz)
    where deals.workspace_id = ${tx.workspaceId} and deals.id = moved.id collate "C"`

const placeOf = ({ id, stage_id, stage_changed_at, order_key, updated_at }: DealRow) => ({
  id,
  stage_id,
  stage_changed_at,
  order_key,
  updated_at,
})

/** What the board shows of a deal. */
export const cardNames = [
  'id',
  'name',
  'type',
  'status',
  'stage_id',
  'stage_changed_at',
  'order_key',
  'contact_ids',
  'owner_id',
  'lead_id',
  'address',
  'price',
  'close_price',
  'currency',
  'probability',
  'expected_close_date',
  'created_at',
  'updated_at',
] as const

const Card = dealRecord.part(cardNames).data

const isShown = sql`deleted_at is null and status <> 'cancelled'`
const inReach = (db: Db) => within(db, sql`owner_id`)

/** The first deals of each stage, or those after a position. */
export const listCards = (db: Db, stageIds: readonly string[], limit: number, after?: Position) =>
  db.many(Card)`
    select card.* from unnest(${stageIds}::text[]) as stage cross join lateral (
      select ${raw(cardNames.join(', '))} from deals
      where workspace_id = ${db.workspaceId} and stage_id = stage collate "C" and ${isShown} ${inReach(db)}
        ${after === undefined ? empty : sql`and (order_key, id) > (${after.order_key}, ${after.id})`}
      order by order_key, id limit ${limit}
    ) as card order by order_key, id`

const TotalsRow = Type.Object({
  stage_id: Type.String(),
  currency: Type.String(),
  count: Type.Integer(),
  cents: Type.String(),
  weight: Type.String(),
  unweighted: Type.String(),
})
export type TotalsRow = Static<typeof TotalsRow>

/**
 * Sums of the deals of each stage, as texts because they can be larger than an exact number: all cents, those of deals with a
 * probability times it, and those of deals without one.
 */
export const listTotals = (db: Db, stageIds: readonly string[]) =>
  db.many(TotalsRow)`
    select stage_id, currency, count(*)::integer as count,
      coalesce(sum(cents), 0)::text as cents,
      coalesce(sum(cents * probability), 0)::text as weight,
      coalesce(sum(cents) filter (where probability is null), 0)::text as unweighted
    from (
      select stage_id, currency, probability, (coalesce(close_price, price) * 100)::bigint as cents from deals
      where workspace_id = ${db.workspaceId} and stage_id = any (${stageIds}::text[]) and ${isShown} ${inReach(db)}
    ) as shown group by stage_id, currency order by stage_id, currency`
