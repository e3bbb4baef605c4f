import type { CalendarSpan } from '#kernel/steps/span.ts'
import { dateFields } from '../../deals/public.ts'

/** Times of records that `wait_until` can count from. Those of deals are calendar days. */
export const anchors = [
  'appointment.starts_at',
  'appointment.ends_at',
  'contact.created_at',
  ...dateFields.map((field) => `deal.${field}` as const),
] as const

/** The time of a record: a moment, or a calendar day. */
export type AnchorTime = { at: string } | { day: string }

const durationOf = ({ years = 0, months = 0, days = 0, hours = 0, minutes = 0 }: CalendarSpan) => ({
  years,
  months,
  days,
  hours,
  minutes,
})

/** When a `wait_until` step continues, in epoch milliseconds. Counts by the calendar of the time zone; a day starts at 09:00. */
export function resumptionAt(
  time: AnchorTime,
  { before = {}, after = {}, at }: { before?: CalendarSpan; after?: CalendarSpan; at?: string },
  timeZone: string,
): number {
  const anchor =
    'day' in time
      ? Temporal.PlainDate.from(time.day).toZonedDateTime({ timeZone, plainTime: '09:00' })
      : Temporal.Instant.from(time.at).toZonedDateTimeISO(timeZone)
  const moved = anchor.subtract(durationOf(before)).add(durationOf(after))
  return (at === undefined ? moved : moved.withPlainTime(at)).epochMilliseconds
}
