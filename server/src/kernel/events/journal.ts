import { type Static, Type } from 'typebox'
import type { Queries } from '../db/rows.ts'
import { type Sql, empty, sql } from '../db/sql.ts'
import type { EventTypes } from './event.ts'

export const JournalRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  subject_type: Type.String(),
  subject_id: Type.String(),
  timeline_id: Type.Union([Type.String(), Type.Null()]),
  actor: Type.Object({
    type: Type.String(),
    id: Type.Union([Type.String(), Type.Null()]),
    name: Type.String(),
  }),
  data: Type.Record(Type.String(), Type.Unknown()),
  occurred_at: Type.String(),
})
export type JournalRow = Static<typeof JournalRow>

/** Who did it. */
export type Actor = JournalRow['actor']

const columns = sql`id, name, subject_type, subject_id, timeline_id, actor, data, occurred_at`

export const insertEvent = (workspaceId: string, row: JournalRow): Sql => sql`
  insert into events (workspace_id, ${columns})
  values (${workspaceId}, ${row.id}, ${row.name}, ${row.subject_type}, ${row.subject_id}, ${row.timeline_id},
    ${JSON.stringify(row.actor)}, ${JSON.stringify(row.data)}, ${row.occurred_at})`

/** Newest first. `name` keeps only events of that name. */
export const listTimeline = (
  db: Queries & { workspaceId: string },
  timelineId: string,
  page: { before: string | null; limit: number },
  name?: string,
) =>
  db.many(
    JournalRow,
    sql`
  select ${columns} from events
  where workspace_id = ${db.workspaceId} and timeline_id = ${timelineId}
    ${name === undefined ? empty : sql`and name = ${name}`}
    ${page.before === null ? empty : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit}`,
  )

/** Events of these names with ids from `from` on, newest first. */
export const listJournal = (
  db: Queries & { workspaceId: string },
  { names, from }: { names: readonly string[]; from: string },
  page: { before: string | null; limit: number },
) =>
  db.many(
    JournalRow,
    sql`
  select ${columns} from events
  where workspace_id = ${db.workspaceId} and id >= ${from} and name = any (${names}::text[])
    ${page.before === null ? empty : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit}`,
  )

const IdRow = Type.Object({ id: Type.String() })

/**
 * Ids of the events of these names after `after`, oldest first. An event shows when its transaction commits, so one with
 * a lower id can come later: whoever follows along asks again for the last while.
 */
export const listEventIds = async (
  db: Queries & { workspaceId: string },
  { names, after }: { names: readonly string[]; after: string },
  limit: number,
): Promise<string[]> => {
  const rows = await db.many(
    IdRow,
    sql`
  select id from events
  where workspace_id = ${db.workspaceId} and id > ${after} and name = any (${names}::text[])
  order by id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/** The events with these ids, oldest first. */
export const listEvents = (db: Queries & { workspaceId: string }, ids: readonly string[]) =>
  db.many(
    JournalRow,
    sql`
  select ${columns} from events
  where workspace_id = ${db.workspaceId} and id = any (${ids}::text[])
  order by id`,
  )

/** A row for each event with `name` and `members`, what its declaration calls personal; to be joined as `personal`. */
export const personalMembers = (eventTypes: EventTypes): Sql => {
  const declared = Object.fromEntries([...eventTypes.values()].map(({ name, personal }) => [name, personal]))
  return sql`(
      select key as name, array(select jsonb_array_elements_text(value)) as members
      from jsonb_each(${JSON.stringify(declared)}::jsonb)
    ) as personal`
}

/**
 * Takes out of everything on a timeline what its declaration says is personal. What happened, when and by whom stays.
 * By each event's own declaration: `to` is an address in one and a state in another.
 */
export const scrubTimeline = (
  tx: Queries & { workspaceId: string; eventTypes: EventTypes },
  timelineId: string,
) =>
  tx.run(sql`
    update events set data = data - personal.members from ${personalMembers(tx.eventTypes)}
    where workspace_id = ${tx.workspaceId} and timeline_id = ${timelineId}
      and events.name = personal.name and data ?| personal.members`)
