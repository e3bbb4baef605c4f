import { type Static, Type } from 'typebox'
import { extendBody, extendRecord } from '#kernel/records/extend.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { pushStatuses } from '../push/push-queries.ts'
import { appointments, appointmentOutcomes } from './appointment.ts'

const if_free = Type.Boolean({
  description: 'Books the time only if the host has no other appointment then: 409 `host_busy` otherwise.',
})

export const AppointmentDraft = extendBody(appointments.Draft, { if_free })
export type AppointmentDraft = Static<typeof AppointmentDraft>

export const AppointmentPatch = extendBody(appointments.Patch, {
  outcome: Type.Enum(appointmentOutcomes, {
    description: 'What came of it. May be corrected. `cancelled` also cancels an appointment to come.',
  }),
  if_free,
})
export type AppointmentPatch = Static<typeof AppointmentPatch>

export const maxConflicts = 20

const Conflict = Type.Object({ id: Type.String(), starts_at: Timestamp, ends_at: Timestamp })
export type Conflict = Static<typeof Conflict>

const CalendarSync = Type.Object({
  member_id: Type.String(),
  provider: Type.Enum(['caldav'], { description: 'More values may be added.' }),
  status: Type.Enum(pushStatuses, {
    description:
      '`removed`: the member has deleted it there, or it is cancelled. It comes back there when it is moved.',
  }),
  error: nullable(Type.String()),
})

export const Appointment = extendRecord(
  'Appointment',
  appointments,
  {
    conflicts: Type.Array(Conflict, {
      description: `Other appointments of the host at the same time, the first ${maxConflicts} of them. Empty once an outcome is recorded.`,
    }),
    calendar_sync: Type.Array(CalendarSync, {
      description:
        'The calendars that it is pushed to: of its host, and of the member who booked it or for whom an app or a key did, if they have connected one.',
    }),
  },
  { conflicts: [], calendar_sync: [] },
)
