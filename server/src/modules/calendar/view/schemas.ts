import { type Static, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { reference } from '#kernel/records/fields.ts'
import { LocalDate, Timestamp, nullable } from '#kernel/schemas.ts'

/** The maximum number of entries in a view. */
export const maxEntries = 2000

const text = masked('text', nullable(Type.String()))
const id = (description: string) => nullable(Type.String({ description }))

const CalendarEntry = Type.Object({
  kind: Type.Enum(['appointment', 'task', 'open_house', 'deal_date'], {
    title: 'CalendarEntryKind',
    description: 'More values may be added.',
  }),
  id: Type.String({ description: 'The ID of the appointment, the task, the listing, or the deal.' }),
  type: Type.String({
    description:
      'The type of the appointment or the task; `open_house`; or the field of the deal, such as `inspection_date`.',
  }),
  status: Type.String({ description: 'The status of the record.' }),
  title: text,
  location: text,
  date: nullable({
    ...LocalDate,
    description: 'The day of an all-day entry, such as a deal date. Null for all other entries.',
  }),
  starts_at: Type.String({
    ...Timestamp,
    description:
      'For a task: when it is due. For an all-day entry: when the day begins in the time zone of the workspace.',
  }),
  ends_at: nullable(Timestamp),
  member_id: id('The host, the assignee, the listing agent, or the owner of the deal.'),
  contact_id: nullable(reference('contact', 'The contact that the entry is about.')),
})
export type CalendarEntry = Static<typeof CalendarEntry>

export const Calendar = Type.Object(
  {
    data: Type.Array(CalendarEntry),
    has_more: Type.Boolean({
      description: `Whether there are more than ${maxEntries} entries. To see them, request fewer days.`,
    }),
  },
  {
    title: 'Calendar',
    examples: [
      {
        data: [
          {
            kind: 'appointment',
            id: 'cmi8h7n5c0007s2b6v8l4q1t9',
            type: 'showing',
            status: 'scheduled',
            title: 'Showing with Ada Reyes',
            location: '12 Elm Street, Evanston',
            date: null,
            starts_at: '2026-11-24T16:00:00.000Z',
            ends_at: '2026-11-24T16:45:00.000Z',
            member_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
            contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
          },
          {
            kind: 'deal_date',
            id: 'cmi8h9q7r0003t5v1w8x2y4z6',
            type: 'inspection_date',
            status: 'open',
            title: 'Reyes, 12 Elm Street',
            location: '12 Elm Street, Evanston',
            date: '2026-11-25',
            starts_at: '2026-11-25T06:00:00.000Z',
            ends_at: null,
            member_id: 'cmi8h2k5p0000y7w2d5g8j1m4',
            contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
          },
        ],
        has_more: false,
      },
    ],
  },
)

export const Availability = Type.Object(
  {
    id: Type.String({ description: 'The member.' }),
    name: Type.String(),
    timezone: Type.String({ description: 'The time zone of the shifts.' }),
    free: Type.Array(Type.Object({ starts_at: Timestamp, ends_at: Timestamp })),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'Availability',
    examples: [
      {
        id: 'cmi8h2k5p0000y7w2d5g8j1m4',
        name: 'Ada Reyes',
        timezone: 'America/Chicago',
        free: [{ starts_at: '2026-11-24T15:00:00.000Z', ends_at: '2026-11-24T16:00:00.000Z' }],
        created_at: '2026-11-20T20:11:04.817Z',
        updated_at: '2026-11-20T20:11:04.817Z',
      },
    ],
  },
)
