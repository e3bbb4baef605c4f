import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { extendBody, extendRecord } from '#kernel/records/extend.ts'
import { reference } from '#kernel/records/fields.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { appointments, appointmentOutcomes, maxConflicts } from '../appointment.ts'
import { responses } from '../invitations/invitation-queries.ts'
import { pushStatuses } from '../push/push-queries.ts'

const if_free = Type.Boolean({
  description:
    'Books the time only if the host has no other appointment then. Otherwise, the response is 409 `host_busy`.',
})

export const AppointmentDraft = extendBody(appointments.Draft, { if_free })
export type AppointmentDraft = Static<typeof AppointmentDraft>

export const AppointmentPatch = extendBody(appointments.Patch, {
  outcome: Type.Enum(appointmentOutcomes, {
    description: 'The outcome. You can correct it later. `cancelled` also cancels a future appointment.',
  }),
  if_free,
})
export type AppointmentPatch = Static<typeof AppointmentPatch>

const Conflict = Type.Object({ id: Type.String(), starts_at: Timestamp, ends_at: Timestamp })
export type Conflict = Static<typeof Conflict>

const CalendarSync = Type.Object({
  member_id: Type.String(),
  provider: Type.Enum(['caldav'], { description: 'More values may be added.' }),
  status: Type.Enum(pushStatuses, {
    title: 'CalendarSyncStatus',
    description:
      '`removed`: the member deleted the appointment in this calendar, or it is cancelled. It is added again when it is moved.',
  }),
  error: nullable(Type.String()),
})

const Response = Type.Object({
  contact_id: nullable(reference('contact', 'The contact who responded.')),
  email: masked('email', nullable(Type.String({ description: 'The address of anyone else who responded.' }))),
  response: Type.Enum(responses),
  responded_at: Timestamp,
})

export const Appointment = extendRecord(
  'Appointment',
  appointments,
  {
    conflicts: Type.Array(Conflict, {
      description: `Other appointments of the host at the same time, at most ${maxConflicts}. Empty once an outcome is recorded.`,
    }),
    calendar_sync: Type.Array(CalendarSync, {
      description:
        'The connected calendars that Gable pushes the appointment to: the calendar of its host, and of the member who booked it, in person or through an app or a key.',
    }),
    responses: Type.Array(Response, {
      description:
        'What invited people responded from their calendars, by email. A new invitation, such as after a move, begins again.',
    }),
  },
  { conflicts: [], calendar_sync: [], responses: [] },
)
