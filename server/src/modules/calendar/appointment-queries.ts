import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { type Sql, empty, raw, sql } from '#kernel/db/sql.ts'
import { custom, equals, filters, oneOf } from '#kernel/http/filters.ts'
import { monthsOf, newestOf, utcOf } from '#kernel/http/newest-of.ts'
import type { Page } from '#kernel/http/paging.ts'
import { isId } from '#kernel/ids.ts'
import { within } from '#kernel/reach.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { reference } from '#kernel/records/fields.ts'
import { Timestamp } from '#kernel/schemas.ts'
import {
  type AppointmentRow,
  appointmentStatuses,
  appointmentTypes,
  appointments,
  contactIdsOf,
  maxConflicts,
  maxDays,
  maxDurationMs,
  appointmentOutcomes,
} from './appointment.ts'

const { Row, columns } = appointments

const inReach = (db: Db) => within(db, sql`host_id`)

export const findAppointment = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from appointments where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)}`

/** The next scheduled appointment with a contact, including as an attendee, that starts after the given time. */
export const findNextAppointment = (db: Db, contactId: string, after: Date) =>
  db.maybeOne(Row)`
    select ${columns} from appointments
    where workspace_id = ${db.workspaceId} and starts_at > ${after} and status = 'scheduled' ${inReach(db)}
      ${ofContact(db, contactId)}
    order by starts_at, id limit 1`

export const lockAppointment = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from appointments
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)} for update`

export const appointmentFilters = filters({
  contact_id: custom(
    reference('contact', 'Return only appointments with this contact, including as an attendee.'),
  ),
  host_id: equals(reference('member', 'Return only appointments that this member hosts.')),
  deal_id: equals(reference('deal', 'Return only appointments of this deal.')),
  listing_id: equals(reference('listing', 'Return only appointments about this listing.')),
  type: oneOf(Type.Enum(appointmentTypes)),
  status: oneOf(Type.Enum(appointmentStatuses)),
  outcome: oneOf(Type.Enum(appointmentOutcomes)),
  from: custom(
    Type.String({ ...Timestamp, description: 'Return only appointments that end after this time.' }),
  ),
  to: custom(
    Type.String({ ...Timestamp, description: 'Return only appointments that begin before this time.' }),
  ),
})
type AppointmentQuery = Static<typeof appointmentFilters.query>

/** Newest first. A contact has few appointments, so a filter by contact finds them all first and then sorts them. */
export function listAppointments(db: Db, query: AppointmentQuery, page: Page) {
  const { contact_id, from, to } = query
  const where = sql`${overlapping(from, to)} ${appointmentFilters.where(query)} ${ofContact(db, contact_id)}`
  const begins = from === undefined ? undefined : sql`${utcOf(from)} - ${longest}`
  const months = monthsOf('starts_month', begins, utcOf(to))
  const series = { table: 'appointments', owner: 'host_id', where, months }
  return db.many(Row)`
    select ${columns} from appointments
    where workspace_id = ${db.workspaceId} ${inReach(db)} ${where}
      ${contact_id === undefined ? newestOf(db, page, series) : empty} ${page.keyset()}`
}

/**
 * Matches by contact ID only. `appointment_persons` also holds email addresses, but those are for erasures: many
 * callers see addresses masked and must not be able to search by them.
 */
function ofContact({ workspaceId }: Db, contactId: string | undefined): Sql {
  if (contactId === undefined) return empty
  return isId(contactId)
    ? sql`and id = any (array(
        select appointment_id from appointment_persons
        where workspace_id = ${workspaceId} and person = ${contactId}))`
    : sql`and false`
}

/**
 * Appointments that end after `from` and start before `to`. The maximum length bounds the index range on `starts_at`.
 */
const overlapping = (from: string | Date | undefined, to: string | Date | undefined): Sql =>
  sql`${from === undefined ? empty : sql`and starts_at > ${from}::timestamptz - ${longest} and ends_at > ${from}`}
    ${to === undefined ? empty : sql`and starts_at < ${to}`}`

const longest = raw(`interval '${maxDays} days'`)

/** The earliest time that a record can have, in milliseconds since the epoch. */
const firstMs = Date.parse('0001-01-01T00:00:00Z')

/** An appointment that started at or before this time is over by `time`, whatever its length. */
const since = (time: string) => new Date(Math.max(firstMs, Date.parse(time) - maxDurationMs))

/** Appointments that overlap the range and are not cancelled, in chronological order. */
export const listAppointmentsWithin = (
  db: Db,
  { from, to }: { from: Date; to: Date },
  hostId: string | undefined,
  limit: number,
) =>
  db.many(Row)`
    select ${columns} from appointments
    where workspace_id = ${db.workspaceId} ${inReach(db)} ${overlapping(from, to)} and status <> 'cancelled'
      ${hostId === undefined ? empty : sql`and host_id = ${hostId}`}
    order by starts_at, id limit ${limit}`

const TakenRow = Type.Object({ host_id: Type.String(), starts_at: Type.String(), ends_at: Type.String() })

/** The times at which these members host appointments that overlap the range. */
export const listTaken = (db: Db, hostIds: readonly string[], { from, to }: { from: Date; to: Date }) =>
  db.many(TakenRow)`
    select host_id, starts_at, ends_at from appointments
    where workspace_id = ${db.workspaceId} ${inReach(db)} and host_id = any (${hostIds}::text[]) ${overlapping(from, to)}
      and status <> 'cancelled'`

/** Serializes bookings per host, so that each booking sees the ones before it. */
export const lockHost = (tx: WorkspaceTx, hostId: string): void => lock(tx, `host ${hostId}`)

const ConflictRow = Type.Object({
  appointment_id: Type.String(),
  id: Type.String(),
  starts_at: Type.String(),
  ends_at: Type.String(),
})

/** Appointments of the same hosts that overlap the given ones, in chronological order. */
export const listConflicts = (
  db: Db,
  of: readonly Pick<AppointmentRow, 'id' | 'host_id' | 'starts_at' | 'ends_at'>[],
) =>
  db.many(ConflictRow)`
    select booked.id as appointment_id, other.id, other.starts_at, other.ends_at
    from unnest(${of.map(({ id }) => id)}::text[], ${of.map(({ host_id }) => host_id)}::text[],
      ${of.map(({ starts_at }) => since(starts_at))}::timestamptz[], ${of.map(({ starts_at }) => starts_at)}::timestamptz[],
      ${of.map(({ ends_at }) => ends_at)}::timestamptz[]) as booked (id, host_id, since, starts_at, ends_at),
      lateral (
        select id, starts_at, ends_at from appointments
        where workspace_id = ${db.workspaceId} ${inReach(db)} and host_id = booked.host_id collate "C"
          and starts_at > booked.since and starts_at < booked.ends_at and ends_at > booked.starts_at
          and status <> 'cancelled' and id <> booked.id collate "C"
        order by starts_at, id limit ${maxConflicts}) as other
    order by other.starts_at, other.id`

const stored = ({ attendees, ...row }: Partial<AppointmentRow>) => ({
  ...row,
  ...(attendees === undefined ? {} : { attendees: JSON.stringify(attendees) }),
})

export function insertAppointment(tx: WorkspaceTx, row: AppointmentRow): void {
  tx.write`insert into appointments ${values({ workspace_id: tx.workspaceId, ...stored(row) })}`
  insertPersons(tx, row)
}

/** Writes the changed columns. The caller must hold the row lock. */
export function saveAppointment(
  tx: WorkspaceTx,
  after: AppointmentRow,
  changed: Partial<AppointmentRow>,
): void {
  tx.write`
    update appointments set ${assignments(stored(changed))}
    where workspace_id = ${tx.workspaceId} and id = ${after.id} ${inReach(tx)}`
  if (!('contact_id' in changed) && !('attendees' in changed)) return
  tx.write`
    delete from appointment_persons where workspace_id = ${tx.workspaceId} and appointment_id = ${after.id}`
  insertPersons(tx, after)
}

/** Indexes contacts by ID and other attendees by email address, so that an erasure can find the appointment. */
function insertPersons(tx: WorkspaceTx, row: AppointmentRow): void {
  const addresses = row.attendees.flatMap(({ email }) => (email === undefined ? [] : [email.toLowerCase()]))
  const persons = [...contactIdsOf(row), ...addresses]
  if (persons.length === 0) return
  tx.write`
    insert into appointment_persons (workspace_id, person, appointment_id)
    select ${tx.workspaceId}, person, ${row.id} from unnest(${persons}::text[]) as concerned (person)
    on conflict do nothing`
}

/** Locks the appointments that involve any of these contacts or addresses, in ID order. */
export const lockAppointmentsOf = (tx: Db, persons: readonly string[]) =>
  tx.many(Row)`
    select ${columns} from appointments
    where workspace_id = ${tx.workspaceId} ${inReach(tx)} and id = any (array(
      select appointment_id from appointment_persons
      where workspace_id = ${tx.workspaceId} and person = any (${persons}::text[] collate "C")))
    order by id for update`
