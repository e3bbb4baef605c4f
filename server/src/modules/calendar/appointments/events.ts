import { type Static, Type } from 'typebox'
import { ChangeSchema, type Change, event } from '#kernel/events/event.ts'
import { masked } from '#kernel/masking/masked.ts'
import { reference } from '#kernel/records/fields.ts'
import { Timestamp } from '#kernel/schemas.ts'
import { appointments, appointmentOutcomes } from '../appointment.ts'

const { data, example: shown } = appointments.part([
  'id',
  'contact_id',
  'host_id',
  'type',
  'listing_id',
  'deal_id',
  'starts_at',
  'ends_at',
  'timezone',
  'title',
  'location',
])
const { title, location, ...properties } = data.properties

const appointment = {
  ...properties,
  contact_ids: Type.Array(reference('contact', 'A contact.'), {
    description: 'All contacts of the appointment: its own contact and any contacts among the attendees.',
  }),
  title: Type.Optional(title),
  location: Type.Optional(location),
}
const example = { ...shown, contact_ids: [String(shown.contact_id)] }

const about = {
  scope: 'appointments:read',
  subject: 'appointment',
  personal: ['title', 'location'],
  timelineOf: ({ contact_ids }: { contact_ids: readonly string[] }) => contact_ids,
} as const

export const AppointmentBooked = event('appointment.booked', {
  ...about,
  summary: 'An appointment was booked',
  data: Type.Object(appointment),
  example,
  entry: () => ({ type: 'appointment', title: 'Appointment booked' }),
})

export const AppointmentRescheduled = event('appointment.rescheduled', {
  ...about,
  summary: 'An appointment was rescheduled',
  data: Type.Object({ ...appointment, previous_starts_at: Timestamp, previous_ends_at: Timestamp }),
  example: {
    ...example,
    previous_starts_at: '2026-11-23T18:30:00.000Z',
    previous_ends_at: '2026-11-23T19:15:00.000Z',
  },
  entry: ({ starts_at, ends_at, previous_starts_at, previous_ends_at }) => ({
    type: 'appointment',
    title: 'Appointment rescheduled',
    changes: [
      { field: 'starts_at', from: previous_starts_at, to: starts_at },
      { field: 'ends_at', from: previous_ends_at, to: ends_at },
    ],
  }),
})

export const AppointmentOutcome = event('appointment.outcome', {
  ...about,
  summary: 'The outcome of an appointment was recorded',
  data: Type.Object({ ...appointment, outcome: Type.Enum(appointmentOutcomes) }),
  example: { ...example, outcome: 'showed' },
  entry: ({ outcome }) => ({ type: 'appointment', title: `Appointment: ${outcome}` }),
})

const Changes = masked(
  'text',
  Type.Array(ChangeSchema, {
    description: 'Long texts are shortened.',
  }),
)

export const AppointmentUpdated = event('appointment.updated', {
  ...about,
  summary: 'Details of an appointment changed, other than its time and outcome',
  data: Type.Object({ ...appointment, changes: Type.Optional(Changes) }),
  personal: [...about.personal, 'changes'],
  example: { ...example, changes: [{ field: 'location', from: null, to: '12 Elm Street, Evanston' }] },
  entry: ({ changes }: { changes?: Static<typeof Changes> }) => ({
    type: 'appointment',
    title: 'Appointment updated',
    ...(changes === undefined ? {} : { changes: changes as Change[] }),
  }),
})
