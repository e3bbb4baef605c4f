import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import { type ContactPoint, type Point, pointsOf } from './contact-points.ts'
import type { Contact } from './contact.ts'

const typesOf = (points: readonly Point[]) => points.map(({ type }) => type)
const valuesOf = (points: readonly Point[]) => points.map(({ value }) => value)

/**
 * Adds a contact's points. A former point becomes current again, and no longer counts as a double. The caller must hold
 * the contact's lock.
 */
export const insertPoints = (
  tx: WorkspaceTx,
  contactId: string,
  points: readonly Point[],
  source: 'contact' | 'lead',
  at: string,
): void =>
  tx.write`
    insert into contact_points (workspace_id, contact_id, kind, value, source, since)
    select ${tx.workspaceId}, ${contactId}, kind, value, ${source}, ${at}::timestamptz
    from unnest(${typesOf(points)}::text[], ${valuesOf(points)}::text[]) as had (kind, value)
    on conflict (workspace_id, contact_id, kind, value) do update set source = excluded.source, former_since = null,
      double = contact_points.double and contact_points.former_since is null
    where contact_points.former_since is not null or excluded.source = 'contact'`

/**
 * Records a change of the contact's phone or email. Points that it no longer has become former. The caller must hold
 * the contact's lock.
 */
export function movePoints(tx: WorkspaceTx, { id, phone, email, updated_at }: Contact): void {
  const points = pointsOf({ phone, email })
  retirePoints(tx, id, points, updated_at)
  insertPoints(tx, id, points, 'contact', updated_at)
}

/** Marks the contact's own points as former, except those in `kept`. */
const retirePoints = (tx: WorkspaceTx, contactId: string, kept: readonly Point[], at: string): void =>
  tx.write`
    update contact_points set former_since = ${at}
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} and source = 'contact' and former_since is null
      and (kind, value) not in (
        select kind, value from unnest(${typesOf(kept)}::text[], ${valuesOf(kept)}::text[]) as kept (kind, value))`

const PresentRow = Type.Object({
  contact_id: Type.String(),
  type: Type.Enum(['phone', 'email']),
  value: Type.String(),
  source: Type.Enum(['contact', 'lead']),
  double: Type.Boolean(),
})
export type PresentPoint = Static<typeof PresentRow>

/** Which contacts currently have these points, the oldest contact first. */
export const listPresentPoints = (db: Db, points: readonly Point[]): Promise<PresentPoint[]> =>
  db.many(PresentRow)`
    select had.contact_id, had.kind as type, sought.value, had.source, had.double ${fromHolders(db, points)}
    order by had.contact_id`

const FormRow = Type.Object({ value: Type.String() })

/** Of these points, the one that the foremost holder has: the one that its number is written as, if it has several. */
export const findWrittenForm = (db: Db, points: readonly Point[]) =>
  db.maybeOne(FormRow)`
    select sought.value ${fromHolders(db, points)}
    join contacts c on c.workspace_id = ${db.workspaceId} and c.id = had.contact_id
    order by had.double, had.source = 'lead', c.phone_e164 is distinct from sought.value,
      array_position(${valuesOf(points)}::text[], sought.value)
    limit 1`

/** Marks points of a contact as doubles. The caller holds the contact's lock. */
export const markDoubles = (tx: WorkspaceTx, contactId: string, points: readonly Point[]): void =>
  tx.write`
    update contact_points set double = true
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId}
      and (kind, value) in (
        select kind, value from unnest(${typesOf(points)}::text[], ${valuesOf(points)}::text[]) as held (kind, value))`

const LastRow = Type.Object({ last: Type.Union([Type.String(), Type.Null()]) })

/** A batch of rows that earlier versions stored: with IDs after `after` and before `before`, in their order. */
export interface EarlierBatch {
  after: string
  before: string
  limit: number
}

/**
 * Marks the points that a batch of contacts shares with an older contact of another owner as doubles. Returns the last
 * contact of the batch; undefined if there is none.
 */
export const assignDoubles = async (tx: WorkspaceTx, { after, before, limit }: EarlierBatch) => {
  const { last } = await tx.one(LastRow)`
    with batch as materialized (
      select id, owner_id from contacts
      where workspace_id = ${tx.workspaceId} and id > ${after} and id < ${before} order by id limit ${limit} for update
    ), marked as (
      update contact_points mine set double = true from batch
      where mine.workspace_id = ${tx.workspaceId} and mine.contact_id = batch.id and mine.source = 'contact'
        and mine.former_since is null and batch.owner_id <> (
          select c.owner_id from contact_points first
          join contacts c on c.workspace_id = ${tx.workspaceId} and c.id = first.contact_id
          where first.workspace_id = ${tx.workspaceId} and first.kind = mine.kind and first.value = mine.value
            and first.source = 'contact' and first.former_since is null and first.contact_id < mine.contact_id
          order by first.contact_id limit 1))
    select max(id) as last from batch`
  return { last: last ?? undefined, assigned: 0 }
}

const HeldRow = Type.Object({
  type: Type.Enum(['phone', 'email']),
  value: Type.String(),
  since: Type.String(),
  former_since: Type.Union([Type.String(), Type.Null()]),
  shared: Type.Boolean(),
})

/** A contact's present and former points, when it had them, and whether another contact had them in that time, too. */
export const listHeldTimes = (db: Db, contactId: string) =>
  db.many(HeldRow)`
    select mine.kind as type, mine.value, mine.since, mine.former_since, exists (
        select from contact_points other
        where other.workspace_id = ${db.workspaceId} and other.kind = mine.kind and other.value = mine.value
          and other.contact_id <> mine.contact_id and other.since < coalesce(mine.former_since, 'infinity')
          and coalesce(other.former_since, 'infinity') > mine.since) as shared
    from contact_points mine
    where mine.workspace_id = ${db.workspaceId} and mine.contact_id = ${contactId} order by mine.since, mine.value`

/**
 * `with ${earlierHolders(…)}`: `batch`, the rows that `rows` selects with `id`, `contact_id`, `value`, and `created_at`; and
 * `found`, for those without a contact, the one that held the value at that time, if it was only one that is no double.
 */
export const earlierHolders = (db: Db, rows: Sql): Sql => sql`
  batch as materialized (${rows}), found as materialized (
    select batch.id, c.id as contact_id, c.owner_id from batch, lateral (
      select min(contact_id) as contact_id from contact_points held
      where held.workspace_id = ${db.workspaceId} and held.kind in ('phone', 'email') and held.value = batch.value
        and held.since <= batch.created_at and coalesce(held.former_since, 'infinity') > batch.created_at
        and not held.double
      having count(*) = 1) held
    join contacts c on c.workspace_id = ${db.workspaceId} and c.id = held.contact_id
    where batch.contact_id is null and c.erased_at is null)`

export const deletePoints = (tx: WorkspaceTx, contactId: string): void =>
  tx.write`delete from contact_points where workspace_id = ${tx.workspaceId} and contact_id = ${contactId}`

const PointRow = Type.Object({
  contact_id: Type.String(),
  type: Type.Enum(['phone', 'email']),
  value: Type.String(),
  source: Type.Enum(['contact', 'lead']),
  former_since: Type.Union([Type.String(), Type.Null()]),
  elsewhere: Type.Boolean(),
})

/**
 * `had`: the contacts that currently have one of these points. Forces one index lookup per point, because a join whose
 * plan was cached while the table was empty would read every point of the workspace.
 */
export const fromHolders = (db: Db, points: readonly Point[]): Sql => sql`
  from unnest(${typesOf(points)}::text[], ${valuesOf(points)}::text[]) as sought (kind, value), lateral (
    select kind, source, double, contact_id from contact_points
    where workspace_id = ${db.workspaceId} and kind = sought.kind and value = sought.value collate "C"
      and former_since is null offset 0) as had`

/**
 * All current and former points of these contacts and of the contacts that currently have one of these points. For
 * `elsewhere`, ignores the points of `leaving`, a contact that is being erased.
 */
export const listContactPoints = async (
  db: Db,
  {
    contactIds,
    points,
    leaving,
  }: { contactIds: readonly string[]; points: readonly Point[]; leaving?: string | undefined },
): Promise<ContactPoint[]> =>
  (await db.many(PointRow)`
    with persons as materialized (
      select unnest(${contactIds}::text[]) collate "C" as contact_id
      union
      select had.contact_id ${fromHolders(db, points)}
    )
    select mine.contact_id, mine.kind as type, value, source, former_since, exists (
        select from contact_points other
        where other.workspace_id = ${db.workspaceId} and other.kind = mine.kind and other.value = mine.value
          and other.contact_id <> mine.contact_id and other.former_since is null
          and other.contact_id is distinct from ${leaving ?? null}
          and (mine.former_since is not null or (mine.source = 'lead' and other.source = 'contact'))
      ) as elsewhere
    from persons, lateral (
      select kind, value, source, former_since, contact_id from contact_points
      where workspace_id = ${db.workspaceId} and contact_id = persons.contact_id offset 0) mine
    order by mine.contact_id, kind, value`) as ContactPoint[]

const HolderRow = Type.Object({ contact_id: Type.String() })

/**
 * Other contacts that formerly had a point of this contact that no contact has now: at most 1,000, with IDs after
 * `after`. Ignores the points of `leaving`, a contact that is being erased.
 */
export const listFormerHolders = async (
  db: Db,
  contactId: string,
  { leaving, after }: { leaving: string | undefined; after: string },
): Promise<string[]> => {
  const rows = await db.many(HolderRow)`
    select distinct had.contact_id from contact_points mine
    join contact_points had on had.workspace_id = ${db.workspaceId} and had.kind = mine.kind and had.value = mine.value
      and had.contact_id <> mine.contact_id and had.former_since is not null and had.contact_id > ${after}
    where mine.workspace_id = ${db.workspaceId} and mine.contact_id = ${contactId} and not exists (
      select from contact_points present
      where present.workspace_id = ${db.workspaceId} and present.kind = mine.kind and present.value = mine.value
        and present.former_since is null and present.contact_id is distinct from ${leaving ?? null})
    order by had.contact_id limit 1000`
  return rows.map(({ contact_id }) => contact_id)
}
