import { Type } from 'typebox'

/** A span of time, such as three days and an hour. */
export interface StepSpan {
  minutes?: number
  hours?: number
  days?: number
}

const amount = (maximum: number) => Type.Optional(Type.Integer({ minimum: 0, maximum }))

const amounts = { minutes: amount(100_000), hours: amount(10_000), days: amount(3650) }

export const SpanSchema = Type.Unsafe<StepSpan>(
  Type.Object(amounts, { minProperties: 1, additionalProperties: false }),
)

export const spanMs = ({ minutes = 0, hours = 0, days = 0 }: StepSpan): number =>
  ((days * 24 + hours) * 60 + minutes) * 60_000

/** Counted by the calendar: a year after February 29 is February 28. */
export interface CalendarSpan extends StepSpan {
  months?: number
  years?: number
}

export const CalendarSpanSchema = Type.Unsafe<CalendarSpan>(
  Type.Object(
    { ...amounts, months: amount(120), years: amount(30) },
    { minProperties: 1, additionalProperties: false },
  ),
)
