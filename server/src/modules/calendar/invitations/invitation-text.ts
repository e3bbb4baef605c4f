import type { AppointmentRow } from '../appointment.ts'
import { titleOf } from '../event-file.ts'
import type { Due } from './plan-invitations.ts'

const openings = { REQUEST: 'Invitation', CANCEL: 'Canceled' }

/** Subject and body of the email that carries an invitation. */
export function invitationText(row: AppointmentRow, { method, sequence }: Due, from: string) {
  const title = titleOf(row)
  const opening = method === 'REQUEST' && sequence > 0 ? 'Updated invitation' : openings[method]
  const lines = {
    REQUEST: `${from} invites you to an appointment:`,
    CANCEL: `${from} has canceled an appointment:`,
  }
  return {
    subject: `${opening}: ${title}, ${format(row, { dateStyle: 'medium', timeStyle: 'short' })}`
      .slice(0, 255)
      .replace(/\p{Cs}$/u, ''),
    body: [lines[method], '', title, span(row), row.location, row.meeting_url]
      .filter((line) => line !== null)
      .join('\n'),
  }
}

const format = ({ starts_at, timezone }: AppointmentRow, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: timezone ?? 'UTC' }).format(new Date(starts_at))

const span = ({ starts_at, ends_at, timezone }: AppointmentRow) =>
  new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: timezone ?? 'UTC',
  }).formatRange(new Date(starts_at), new Date(ends_at))
