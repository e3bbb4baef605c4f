import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '../db/handles.ts'
import { type Slice, newestOfSlice } from '../db/slice.ts'
import { type Sql, empty, raw, sql } from '../db/sql.ts'
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
  /** The id of an API key or app that sees the event only if it may see personal data. */
  hidden_from: Type.Union([Type.String(), Type.Null()]),
})
export type JournalRow = Static<typeof JournalRow>

/** An event never changes. */
const occurredAt = raw('occurred_at')

/** The actor who caused an event. */
export type Actor = JournalRow['actor']

const columnNames = Object.keys(JournalRow.properties)
const columns = raw(columnNames.join(', '))
const columnsOf = (alias: string) => raw(columnNames.map((name) => `${alias}.${name}`).join(', '))

/** Writes an event. `further`: contacts on whose timelines the event also appears, besides that of its row. */
export function insertEvent(
  tx: WorkspaceTx,
  row: JournalRow,
  audit: boolean,
  further: readonly string[] = [],
): void {
  tx.write`
  insert into events (workspace_id, ${columns}, audit)
  values (${tx.workspaceId}, ${row.id}, ${row.name}, ${row.subject_type}, ${row.subject_id}, ${row.timeline_id},
    ${JSON.stringify(row.actor)}, ${JSON.stringify(row.data)}, ${row.occurred_at}, ${row.hidden_from},
    ${audit})`
  if (further.length > 0)
    tx.write`
  insert into event_timelines (workspace_id, timeline_id, event_id)
  select ${tx.workspaceId}, timeline, ${row.id} from unnest(${further}::text[]) as concerned (timeline)
  on conflict do nothing`
}

/**
 * Adds earlier events about records to the timelines of contacts whom they now concern, or of contacts who are being
 * erased, so that the events are scrubbed. `subject` must be a type of record whose events have an index.
 */
export const addToTimelines = (
  tx: WorkspaceTx,
  { subject, ids, names }: { subject: string; ids: readonly string[]; names: readonly string[] },
  timelineIds: readonly string[],
): void =>
  tx.write`
  insert into event_timelines (workspace_id, timeline_id, event_id)
  select ${tx.workspaceId}, timeline, e.id from events e, unnest(${timelineIds}::text[]) as joined (timeline)
  where e.workspace_id = ${tx.workspaceId} and e.subject_type = ${raw(`'${subject}'`)} and e.subject_id = any (${ids}::text[])
    and e.name = any (${names}::text[]) and e.timeline_id is distinct from timeline
  on conflict do nothing`

/**
 * A reader from whom some events are hidden. On timelines, it also does not see its own events about records of type
 * `ownSubject`.
 */
export interface LimitedReader {
  readonly id: string | null
  readonly ownSubject: string
  /** Whether it sees no events but those that it caused. */
  readonly onlyOwn?: boolean
}

/** Omits events that are hidden from an API key or app. Undefined: the reader sees all events. */
const shownTo = (reader: LimitedReader | undefined): Sql =>
  reader === undefined
    ? empty
    : sql`and hidden_from is distinct from ${reader.id} ${reader.onlyOwn === true ? sql`and actor ->> 'id' = ${reader.id}` : empty}`

const notByReader = (reader: LimitedReader | undefined): Sql =>
  reader === undefined
    ? empty
    : sql`and (subject_type <> ${reader.ownSubject} or actor ->> 'id' is distinct from ${reader.id})`

/** The events on a timeline that the reader may see, newest first. `names` limits them to events of these names. */
export function listTimeline(
  db: Db,
  reader: LimitedReader | undefined,
  timelineId: string,
  page: Slice,
  names?: readonly string[],
) {
  const rest = sql`
    ${names === undefined ? empty : sql`and name = any (${names}::text[])`} ${shownTo(reader)}
    ${notByReader(reader)}
    ${newestOfSlice(page, occurredAt)}`
  return db.many(JournalRow)`
  select ${columns} from (
    (select ${columns} from events where workspace_id = ${db.workspaceId} and timeline_id = ${timelineId} ${rest})
    union all
    (select ${columnsOf('e')} from event_timelines t
      join events e on e.workspace_id = ${db.workspaceId} and e.id = t.event_id
      where t.workspace_id = ${db.workspaceId} and t.timeline_id = ${timelineId} ${rest})
  ) as entries order by id desc limit ${page.limit}`
}

/** A timeline that no one sees. */
const hiddenTimelineOf = (timelineId: string) => `hidden ${timelineId}`

/**
 * Notes that an event concerns contacts although their timelines must not show it. Only `listTimelineAfter` returns it.
 */
export const addToHiddenTimelines = (
  tx: WorkspaceTx,
  eventId: string,
  timelineIds: readonly string[],
): void =>
  tx.write`
  insert into event_timelines (workspace_id, timeline_id, event_id)
  select ${tx.workspaceId}, timeline, ${eventId} from unnest(${timelineIds.map(hiddenTimelineOf)}::text[]) as concerned (timeline)
  on conflict do nothing`

/**
 * Events with these names and with ids after `after` that concern a contact, whether the timeline shows them or not,
 * oldest first.
 */
export function listTimelineAfter(
  db: Db,
  timelineId: string,
  { names, after }: { names: readonly string[]; after: string },
  limit: number,
) {
  const rest = sql`and name = any (${names}::text[]) and id > ${after} order by id limit ${limit}`
  const on = (further: string) => sql`
    (select ${columnsOf('e')} from event_timelines t
      join events e on e.workspace_id = ${db.workspaceId} and e.id = t.event_id
      where t.workspace_id = ${db.workspaceId} and t.timeline_id = ${further} ${rest})`
  return db.many(JournalRow)`
  select ${columns} from (
    (select ${columns} from events where workspace_id = ${db.workspaceId} and timeline_id = ${timelineId} ${rest})
    union all ${on(timelineId)} union all ${on(hiddenTimelineOf(timelineId))}
  ) as entries order by id limit ${limit}`
}

/**
 * Events with these names and with ids of at least `from`, newest first. An app does not see events that concern
 * other apps, and a `reader` does not see events that are hidden from it. `timelines` selects the timelines within a
 * limited reach.
 */
export const listJournal = (
  db: Db,
  {
    names,
    from,
    forApp,
    timelines,
    reader,
    subject,
    timeline,
    before,
  }: {
    names: readonly string[]
    from: string
    forApp?: string | undefined
    timelines?: Sql | undefined
    reader?: LimitedReader | undefined
    /** Only events about this record. */
    subject?: string | undefined
    /** Only events on this timeline that the reader would see on it. */
    timeline?: string | undefined
    /** Only events with lower ids. */
    before?: string | undefined
  },
  page: Slice,
) =>
  db.many(JournalRow)`
  select ${columns} from events
  where workspace_id = ${db.workspaceId} and id >= ${from} and name = any (${names}::text[])
    ${forApp === undefined ? empty : sql`and (not data ? 'app_id' or data ->> 'app_id' = ${forApp})`}
    ${timelines === undefined ? empty : sql`and ${onOneOf(db, timelines)}`} ${shownTo(reader)}
    ${timeline === undefined ? empty : sql`and ${onOneOf(db, sql`${timeline}`)} ${notByReader(reader)}`}
    ${subject === undefined ? empty : sql`and subject_id = ${subject}`}
    ${before === undefined ? empty : sql`and id < ${before}`}
    ${newestOfSlice(page, occurredAt)}`

const onOneOf = (db: Db, timelines: Sql) => sql`(timeline_id in (${timelines}) or id in (
    select event_id from event_timelines where workspace_id = ${db.workspaceId} and timeline_id in (${timelines})))`

/** Audit log events that meet the conditions, newest first. `conditions` begins with `and`. */
export const listAuditEvents = (db: Db, conditions: Sql, page: Slice) =>
  db.many(JournalRow)`
  select ${columns} from events
  where workspace_id = ${db.workspaceId} and audit ${conditions} ${newestOfSlice(page, occurredAt)}`

const IdRow = Type.Object({ id: Type.String() })

/**
 * Ids of events with these names after `after`, oldest first. An event becomes visible when its transaction commits,
 * so an event with a lower id can appear later. Callers that follow the journal must read an overlap.
 */
export const listEventIds = async (
  db: Db,
  { names, after }: { names: readonly string[]; after: string },
  limit: number,
): Promise<string[]> => {
  const rows = await db.many(IdRow)`
  select id from events
  where workspace_id = ${db.workspaceId} and id > ${after} and name = any (${names}::text[])
  order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** The events with these ids, oldest first. */
export const listEvents = (db: Db, ids: readonly string[]) =>
  db.many(JournalRow)`
  select found.* from unnest(${ids}::text[]) as wanted (id), lateral (
    select ${columns} from events where workspace_id = ${db.workspaceId} and id = wanted.id limit 1
  ) as found order by found.id`

const EventRow = Type.Object({ id: Type.String(), name: Type.String() })

const chunk = 1000

const idsOn = (db: Db, timelineId: string) => sql`array(
    select id from events where workspace_id = ${db.workspaceId} and timeline_id = ${timelineId}
    union all
    select event_id from event_timelines where workspace_id = ${db.workspaceId} and timeline_id = ${timelineId})`

/** All events on a timeline, oldest first, in chunks of at most 1,000. */
export async function* timelineEvents(db: Db, timelineId: string) {
  for (let after = ''; ;) {
    const events = await db.many(EventRow)`
      select id, name from events
      where workspace_id = ${db.workspaceId} and id = any (${idsOn(db, timelineId)}) and id > ${after}
      order by id limit ${chunk}`
    if (events.length > 0) yield events
    if (events.length < chunk) return
    after = events.at(-1)?.id ?? ''
  }
}

/**
 * A table to join, named `personal`: the `name` of each event, and as `members` the members that its declaration
 * marks as personal.
 */
export const personalMembers = (eventTypes: EventTypes): Sql => {
  const declared = Object.fromEntries([...eventTypes.values()].map(({ name, personal }) => [name, personal]))
  return sql`(
      select key as name, array(select jsonb_array_elements_text(value)) as members
      from jsonb_each(${JSON.stringify(declared)}::jsonb)
    ) as personal`
}

/**
 * Removes personal members from the events on a timeline, as each event's declaration names them. What happened,
 * when, and who did it remain.
 */
export const scrubTimeline = (tx: WorkspaceTx & { eventTypes: EventTypes }, timelineId: string) =>
  tx.run`
    update events set data = data - personal.members from ${personalMembers(tx.eventTypes)}
    where workspace_id = ${tx.workspaceId} and id = any (${idsOn(tx, timelineId)})
      and events.name = personal.name and data ?| personal.members`
