import ical, { type ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { maskText } from '#kernel/masking/mask-text.ts'
import type { AppointmentRow } from '../appointments/appointment.ts'

interface Person {
  name: string | null
  email: string
}

/** What a file says of an appointment. All of it follows from these, so that the same version makes the same bytes. */
export type ShownEvent = Pick<
  AppointmentRow,
  | 'id'
  | 'title'
  | 'type'
  | 'status'
  | 'starts_at'
  | 'ends_at'
  | 'location'
  | 'meeting_url'
  | 'sequence'
  | 'updated_at'
>

/** A calendar without events. */
const emptyFile = (name?: string): ICalCalendar =>
  ical({
    prodId: { company: 'Gable', product: 'Gable', language: 'EN' },
    ...(name === undefined ? {} : { name }),
  })

/** `listing_presentation` → `Listing presentation`. */
export const titleOf = ({ title, type }: Pick<ShownEvent, 'title' | 'type'>): string =>
  title?.replaceAll(/\s+/g, ' ').trim() || typeNames(type)

const typeNames = (type: string) => type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ')

/** Adds the appointment. Times are UTC, so that the file needs no definition of a time zone. */
const addEvent = (file: ICalCalendar, row: ShownEvent) =>
  file.createEvent({
    id: row.id,
    sequence: row.sequence,
    stamp: new Date(row.updated_at),
    start: new Date(row.starts_at),
    end: new Date(row.ends_at),
    summary: titleOf(row),
    location: row.location,
    description: row.meeting_url,
    status: row.status === 'cancelled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  })

/** The file of one appointment in a calendar: without a method and without people, so that no server writes to anyone. */
export function calendarFile(row: ShownEvent): string {
  const file = emptyFile()
  addEvent(file, row)
  return `${file.toString()}\r\n`
}

/** Calendars ask again after so long, if they follow it. */
const refreshSeconds = 3600

/** A calendar to subscribe to. Its address can fall into other hands: no phone number and no email address is in it. */
export function feedFile(name: string, rows: readonly ShownEvent[]): string {
  const file = emptyFile(`Gable: ${name}`)
  file.ttl(refreshSeconds)
  for (const row of rows)
    addEvent(file, {
      ...row,
      title: maskText(titleOf(row)),
      location: row.location === null ? null : maskText(row.location),
      meeting_url: null,
    })
  return `${file.toString()}\r\n`
}

/** An invitation to one person, or its cancellation (RFC 5546). It names no other one who is invited. */
export function invitationFile(row: ShownEvent, organizer: Person, invited: Person): string {
  const file = emptyFile()
  file.method(row.status === 'cancelled' ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST)
  const event = addEvent(file, row)
  event.organizer({ name: organizer.name ?? organizer.email, email: organizer.email })
  event.createAttendee({
    email: invited.email,
    ...(invited.name === null ? {} : { name: invited.name }),
    rsvp: true,
  })
  return `${file.toString()}\r\n`
}
