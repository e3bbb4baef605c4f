import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock, share } from '#kernel/db/lock.ts'
import { empty, raw, sql } from '#kernel/db/sql.ts'
import { within } from '#kernel/reach.ts'
import { type DealRow, dealRecord } from '../deal.ts'
import { type BoardQuery, onBoard } from './filter-queries.ts'

const Placed = Type.Object({ id: Type.String(), stage_id: Type.String(), order_key: Type.String() })
/** A deal's position on the board. */
export type Position = Static<typeof Placed>
const columns = sql`id, stage_id, order_key`

const dealsOf = (stageId: string) => `deals of stage ${stageId}`

/** Serializes moves within a stage. Take this lock before the lock of the deal that moves. */
export const lockStages = (tx: WorkspaceTx, ...stageIds: readonly string[]): void =>
  lock(tx, ...stageIds.map(dealsOf))

/** New deals can be added to a stage concurrently, but not during a move. */
export const shareStage = (tx: WorkspaceTx, stageId: string): void => share(tx, dealsOf(stageId))

/** A deal that is not deleted. */
export const findPlaced = (db: Db, id: string) =>
  db.maybeOne(Placed)`
    select ${columns} from deals
    where workspace_id = ${db.workspaceId} and id = ${id} and deleted_at is null ${inReach(db)}`

/** The first deal of a stage, including deleted deals but not the one that moves. */
export const findFirst = (db: Db, stageId: string, moving = '') =>
  db.maybeOne(Placed)`
    select ${columns} from deals
    where workspace_id = ${db.workspaceId} and stage_id = ${stageId} and id <> ${moving}
    order by order_key, id limit 1`

/** The deal directly after the given position, including deleted deals but not the one that moves. */
export const findNext = (db: Db, above: { id: string; stage_id: string; order_key: string }, moving = '') =>
  db.maybeOne(Placed)`
    select ${columns} from deals
    where workspace_id = ${db.workspaceId} and stage_id = ${above.stage_id}
      and (order_key, id) > (${above.order_key}, ${above.id}) and id <> ${moving}
    order by order_key, id limit 1`

/** All deals of a stage in order, including deleted ones. */
export const listOrder = (db: Db, stageId: string) =>
  db.many(Placed)`
    select ${columns} from deals where workspace_id = ${db.workspaceId} and stage_id = ${stageId} order by order_key, id`

/** Sets the keys of these deals. */
export const saveOrder = (tx: WorkspaceTx, ids: readonly string[], keys: readonly string[]): void =>
  tx.write`
    update deals set order_key = placed.order_key
    from unnest(${ids}::text[], ${keys}::text[]) as placed (id, order_key)
    where deals.workspace_id = ${tx.workspaceId} and deals.id = placed.id collate "C"`

/** The last deal of a stage, including deleted ones. */
export const findLast = (db: Db, stageId: string) =>
  db.maybeOne(Placed)`
    select ${columns} from deals where workspace_id = ${db.workspaceId} and stage_id = ${stageId}
    order by order_key desc, id desc limit 1`

/** Locks deals of a stage, including deleted ones. */
export const lockDealsIn = (tx: Db, stageId: string, limit: number) =>
  tx.many(dealRecord.Row)`
    select ${dealRecord.columns} from deals where workspace_id = ${tx.workspaceId} and stage_id = ${stageId}
    order by id limit ${limit} for update`

/** Moves deals to a stage of the same pipeline with the same outcome. The caller must hold their locks. */
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

/** The fields that the board shows of a deal. */
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

/** The first deals of each stage, or the deals after a position. */
export const listCards = (
  db: Db,
  stageIds: readonly string[],
  { query, limit, after }: { query: BoardQuery; limit: number; after: Position | undefined },
) =>
  db.many(Card)`
    select card.* from unnest(${stageIds}::text[]) as stage cross join lateral (
      select ${raw(cardNames.join(', '))} from deals
      where workspace_id = ${db.workspaceId} and stage_id = stage collate "C" and ${isShown} ${inReach(db)}
        ${onBoard(query)}
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
 * Totals of each stage by currency, as strings because they can exceed the safe integer range: the sum of all cents,
 * the sum of cents times probability for deals that have one, and the sum of cents for deals without a probability.
 */
export const listTotals = (db: Db, stageIds: readonly string[], query: BoardQuery) =>
  db.many(TotalsRow)`
    select stage_id, currency, count(*)::integer as count,
      coalesce(sum(cents), 0)::text as cents,
      coalesce(sum(cents * probability), 0)::text as weight,
      coalesce(sum(cents) filter (where probability is null), 0)::text as unweighted
    from (
      select stage_id, currency, probability, (coalesce(close_price, price) * 100)::bigint as cents from deals
      where workspace_id = ${db.workspaceId} and stage_id = any (${stageIds}::text[]) and ${isShown} ${inReach(db)}
        ${onBoard(query)}
    ) as shown group by stage_id, currency order by stage_id, currency`
