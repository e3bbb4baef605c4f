import ical, { type ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { maskText } from '#kernel/masking/mask-text.ts'
import type { AppointmentRow } from './appointment.ts'

interface Person {
  name: string | null
  email: string
}

/**
 * The fields that appear in a file. The output depends on nothing else, so the same version always produces the same
 * bytes.
 */
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

/** Adds the appointment. Times are in UTC, so the file needs no VTIMEZONE. */
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

/**
 * A file with one appointment for a calendar. It has no method and no attendees, so that the server sends mail to no
 * one.
 */
export function calendarFile(row: ShownEvent): string {
  const file = emptyFile()
  addEvent(file, row)
  return `${file.toString()}\r\n`
}

/** How often clients should refresh, if they respect it. */
const refreshSeconds = 3600

/** A calendar feed. Its URL can leak, so the file contains no phone numbers or email addresses. */
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

/** An invitation to one person, or its cancellation (RFC 5546). It does not reveal the other attendees. */
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
