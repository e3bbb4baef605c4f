import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { masked } from '#kernel/masking/masked.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'

const types = [
  'showing',
  'buyer_consultation',
  'listing_presentation',
  'open_house',
  'inspection',
  'appraisal',
  'closing',
  'call',
  'video',
  'other',
] as const

const appointment = {
  id: Type.String(),
  contact_id: nullable(
    Type.String({ description: 'The contact of the appointment. Null if there is none.' }),
  ),
  host_id: nullable(Type.String({ description: 'The member who hosts the appointment.' })),
  type: Type.Enum(types, { description: 'More values may be added.' }),
  listing_id: nullable(Type.String()),
  deal_id: nullable(Type.String()),
  starts_at: Timestamp,
  ends_at: Timestamp,
  timezone: nullable(Type.String({ description: 'The IANA time zone in which the appointment was made.' })),
  title: Type.Optional(masked('text', nullable(Type.String()))),
  location: Type.Optional(masked('text', nullable(Type.String()))),
}
const personal = ['title', 'location']

const example = {
  id: 'cmi8h7n5c0007s2b6v8l4q1t9',
  contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
  host_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
  type: 'showing',
  listing_id: 'cmi8g9t3k0001d7m5x2n8w4r6',
  deal_id: null,
  starts_at: '2026-11-24T16:00:00.000Z',
  ends_at: '2026-11-24T16:45:00.000Z',
  timezone: 'America/Chicago',
  title: 'Showing with Ada Reyes',
  location: '12 Elm Street, Evanston',
} as const

export const AppointmentBooked = event('appointment.booked', {
  scope: 'appointments:read',
  summary: 'An appointment was booked',
  subject: 'appointment',
  data: Type.Object(appointment),
  example,
  personal,
  timelineOf: (data) => data.contact_id,
  entry: () => ({ type: 'appointment', title: 'Appointment booked' }),
})

export const AppointmentRescheduled = event('appointment.rescheduled', {
  scope: 'appointments:read',
  summary: 'An appointment was rescheduled',
  subject: 'appointment',
  data: Type.Object({
    ...appointment,
    previous_starts_at: Timestamp,
    previous_ends_at: Timestamp,
  }),
  example: {
    ...example,
    previous_starts_at: '2026-11-23T18:30:00.000Z',
    previous_ends_at: '2026-11-23T19:15:00.000Z',
  },
  personal,
  timelineOf: (data) => data.contact_id,
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
  scope: 'appointments:read',
  summary: 'The outcome of an appointment was recorded',
  subject: 'appointment',
  data: Type.Object({ ...appointment, outcome: Type.Enum(['showed', 'no-show', 'cancelled']) }),
  example: { ...example, outcome: 'showed' },
  personal,
  timelineOf: (data) => data.contact_id,
  entry: ({ outcome }) => ({ type: 'appointment', title: `Appointment: ${outcome}` }),
})
