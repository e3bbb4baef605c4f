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

/** Takes the personal members out of everything on a timeline. What happened, when and by whom stays. */
export const scrubTimeline = (
  tx: Queries & { workspaceId: string; eventTypes: EventTypes },
  timelineId: string,
) => {
  const personal = [...new Set([...tx.eventTypes.values()].flatMap((type) => type.personal))]
  return tx.run(sql`
    update events set data = data - ${personal}::text[]
    where workspace_id = ${tx.workspaceId} and timeline_id = ${timelineId} and data ?| ${personal}::text[]`)
}
