import type { Ctx } from '#kernel/context.ts'
import type { AppointmentRow } from '../appointments/appointment.ts'
import { listAppointmentsWithin } from '../appointments/queries.ts'
import { listTasksWithin } from '../tasks/queries.ts'
import type { Task } from '../tasks/task.ts'
import type { Range } from './range.ts'
import { type CalendarEntry, maxEntries } from './schemas.ts'

/** What is on the calendars in reach, or on one member's, in order of time. Each kind requires the scope that reads it. */
export async function loadCalendar(ctx: Ctx, range: Range, memberId: string | undefined) {
  const db = ctx.searches()
  const [appointments, tasks] = await Promise.all([
    listAppointmentsWithin(db, range, memberId, maxEntries + 1),
    listTasksWithin(db, range, memberId, maxEntries + 1),
  ])
  const entries = [...appointments.map(ofAppointment), ...tasks.map(ofTask)].toSorted(
    (a, b) => compare(a.starts_at, b.starts_at) || compare(a.id, b.id),
  )
  return { data: entries.slice(0, maxEntries), has_more: entries.length > maxEntries }
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

const ofAppointment = (row: AppointmentRow): CalendarEntry => ({
  kind: 'appointment',
  id: row.id,
  type: row.type,
  status: row.status,
  title: row.title,
  location: row.location,
  starts_at: row.starts_at,
  ends_at: row.ends_at,
  member_id: row.host_id,
  contact_id: row.contact_id,
})

const ofTask = ({ id, type, status, title, due_at, assignee_id, contact_id }: Task): CalendarEntry => ({
  kind: 'task',
  id,
  type,
  status,
  title,
  location: null,
  starts_at: due_at ?? '',
  ends_at: null,
  member_id: assignee_id,
  contact_id,
})
