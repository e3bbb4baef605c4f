import type { AppointmentRow } from '../appointment.ts'

/**
 * Subject and body of a reminder: what, when, and where, with nothing promotional. `zone` is used if the appointment
 * has no time zone of its own.
 */
export function reminderText(
  { type, starts_at, timezone, location }: AppointmentRow,
  from: string,
  zone: string,
): { subject: string; body: string } {
  const what = type === 'other' || type === 'video' ? 'appointment' : type.replaceAll('_', ' ')
  const when = new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: timezone ?? zone,
  }).format(new Date(starts_at))
  const where =
    location === null || location.trim() === '' ? '' : `, ${location.replaceAll(/\s+/g, ' ').trim()}`
  return {
    subject: `Reminder: ${what}, ${when}`,
    body: `${from}: a reminder of your ${what} on ${when}${where}. Reply to this message if you need another time.`,
  }
}
