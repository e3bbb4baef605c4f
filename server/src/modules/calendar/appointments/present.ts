import type { Static } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { orNotFound } from '#kernel/errors.ts'
import { listConflicts } from '../appointment-queries.ts'
import type { AppointmentRow } from '../appointment.ts'
import { listResponses } from '../invitations/invitation-queries.ts'
import { listPushes } from '../push/push-queries.ts'
import type { Appointment } from './schemas.ts'

/** Converts rows to API records, with their conflicts and calendar sync status. */
export async function presentAppointments(
  db: Db,
  rows: readonly AppointmentRow[],
): Promise<Static<typeof Appointment>[]> {
  if (rows.length === 0) return []
  const open = rows.filter(({ status, host_id }) => status === 'scheduled' && host_id !== null)
  const ids = rows.map(({ id }) => id)
  const [conflicts, pushes, responses] = await Promise.all([
    open.length === 0 ? [] : listConflicts(db, open),
    listPushes(db, ids),
    listResponses(db, ids),
  ])
  return rows.map(({ sequence: _, creator_id: __, ...row }) => ({
    ...row,
    conflicts: conflicts
      .filter(({ appointment_id }) => appointment_id === row.id)
      .map(({ id, starts_at, ends_at }) => ({ id, starts_at, ends_at })),
    calendar_sync: pushes
      .filter(({ appointment_id }) => appointment_id === row.id)
      .map(({ member_id, status, error }) => ({ member_id, provider: 'caldav' as const, status, error })),
    responses: responses
      .filter(({ appointment_id }) => appointment_id === row.id)
      .map(({ person, response, responded_at }) => ({
        contact_id: person.includes('@') ? null : person,
        email: person.includes('@') ? person : null,
        response,
        responded_at,
      })),
  }))
}

export const presentAppointment = async (db: Db, row: AppointmentRow) =>
  orNotFound((await presentAppointments(db, [row]))[0])
