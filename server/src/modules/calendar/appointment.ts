import { type Static, Type } from 'typebox'
import type { Issue } from '#kernel/errors.ts'
import { masked } from '#kernel/masking/masked.ts'
import {
  type RowOf,
  createdBy,
  defaulted,
  freeText,
  internal,
  optional,
  readOnly,
  reference,
  required,
  zoneName,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Email, Timestamp, Uri, nullable, oneLine } from '#kernel/schemas.ts'
import { timezoneIssues } from '#kernel/timezones.ts'

export const appointmentTypes = [
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

export const appointmentStatuses = ['scheduled', 'completed', 'cancelled'] as const

export const appointmentOutcomes = ['showed', 'no-show', 'cancelled'] as const

const Attendee = Type.Object(
  {
    contact_id: Type.Optional(reference('contact', 'A contact.')),
    member_id: Type.Optional(reference('member', 'A member.')),
    name: Type.Optional({
      ...freeText(120, 'The name of anyone else.'),
      minLength: 1,
      pattern: oneLine,
    }),
    email: Type.Optional(masked('email', Email)),
  },
  { additionalProperties: false },
)
export type Attendee = Static<typeof Attendee>

/**
 * The maximum length of an appointment. It bounds how far back a query must look for appointments that are still
 * running.
 */
export const maxDays = 14
export const maxDurationMs = maxDays * 24 * 3_600_000

/** The most conflicts that an appointment shows. */
export const maxConflicts = 20

export const appointmentFields = {
  title: optional(freeText(200)),
  type: defaulted(
    Type.Enum(appointmentTypes, { title: 'AppointmentType', description: 'More values may be added.' }),
    'other',
  ),
  status: readOnly(Type.Enum(appointmentStatuses, { description: 'Follows the outcome.' }), 'scheduled'),
  outcome: readOnly(
    Type.Union([Type.Enum(appointmentOutcomes), Type.Null()], {
      description: 'Null until someone records it.',
    }),
    null,
  ),
  outcome_at: readOnly(nullable(Timestamp), null),
  contact_id: optional(reference('contact', 'The contact of the appointment.')),
  attendees: defaulted(
    Type.Array(Attendee, {
      maxItems: 50,
      description: 'More people: a contact, a member, or another person by name and email address.',
    }),
    [],
    { normalize: distinct },
  ),
  host_id: optional(
    reference(
      'member',
      'The member who hosts the appointment. By default the member who books it, or else the owner of the contact.',
    ),
  ),
  listing_id: optional(reference('listing', 'The listing that the appointment is about.')),
  deal_id: optional(reference('deal', 'The deal of the appointment.')),
  starts_at: required(Timestamp),
  ends_at: required(
    Type.String({ ...Timestamp, description: `At most ${maxDays} days after \`starts_at\`.` }),
  ),
  timezone: optional(
    zoneName(
      "IANA name of the time zone that the appointment was agreed in, such as `America/Chicago`. By default the host's time zone, or else the workspace's.",
    ),
  ),
  location: optional(freeText(500)),
  meeting_url: optional(
    masked('text', Uri({ maxLength: 2048, description: 'The address of a video call.' })),
  ),
  invite: defaulted(
    Type.Boolean({
      description:
        'Whether Gable invites the contact and the attendees by email and notifies them of changes. Contacts are notified only if the compliance gates allow it.',
    }),
    false,
  ),
  reschedule_count: readOnly(Type.Integer({ description: 'How often the appointment was moved.' }), 0),
  created_by: createdBy(),
  /** The member who booked the appointment, directly or through an API key or app. */
  creator_id: internal(nullable(Type.String()), null),
  /** Increments whenever something that an invitation shows changes. */
  sequence: internal(Type.Integer(), 0),
}

export const appointments = defineRecord('Appointment', {
  fields: appointmentFields,
  example: {
    title: 'Showing with Ada Reyes',
    type: 'showing',
    starts_at: '2026-11-24T16:00:00.000Z',
    ends_at: '2026-11-24T16:45:00.000Z',
    timezone: 'America/Chicago',
    location: '12 Elm Street, Evanston',
  },
  shownExample: {
    contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
    host_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
    created_by: { type: 'member', id: 'cmi8h2k5p0000y7w2d5g8j1m4' },
  },
  patchExample: { starts_at: '2026-11-25T16:00:00.000Z', ends_at: '2026-11-25T16:45:00.000Z' },
  check: ({ starts_at, ends_at, timezone, attendees }) => [
    ...timeIssues(starts_at, ends_at),
    ...timezoneIssues(timezone, 'timezone'),
    ...attendees.flatMap(attendeeIssues),
  ],
})
export type AppointmentRow = RowOf<typeof appointmentFields>

function timeIssues(starts_at: string, ends_at: string): Issue[] {
  const duration = Date.parse(ends_at) - Date.parse(starts_at)
  if (duration <= 0) return [{ path: 'ends_at', message: 'must be after starts_at' }]
  if (duration > maxDurationMs)
    return [{ path: 'ends_at', message: `must be at most ${maxDays} days after starts_at` }]
  return []
}

function attendeeIssues({ contact_id, member_id, name, email }: Attendee, i: number): Issue[] {
  const named = [contact_id, member_id, name ?? email].filter((one) => one !== undefined)
  return named.length === 1
    ? []
    : [{ path: `attendees.${i}`, message: 'must be a contact_id, a member_id, or a name and an email' }]
}

/** Removes duplicate people. The first entry of each stays in its place. */
function distinct(attendees: Attendee[]): Attendee[] {
  const keyOf = ({ contact_id, member_id, name, email }: Attendee) =>
    contact_id ?? member_id ?? email?.toLowerCase() ?? name
  return [...Map.groupBy(attendees, keyOf).values()].flatMap(([first]) => first ?? [])
}

/** The contacts of an appointment: its own contact first, then the attendees. */
export const contactIdsOf = ({ contact_id, attendees }: Pick<AppointmentRow, 'contact_id' | 'attendees'>) => [
  ...new Set([contact_id, ...attendees.map((one) => one.contact_id)].filter((id) => typeof id === 'string')),
]

/** The appointment after one of its contacts is erased. Its times, contacts, members, and outcome remain. */
export const erasedAppointment = ({ attendees }: AppointmentRow) => ({
  title: null,
  location: null,
  meeting_url: null,
  attendees: attendees.filter(({ name, email }) => name === undefined && email === undefined),
})
