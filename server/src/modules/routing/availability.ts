import { Type } from 'typebox'
import { ValidationFailed } from '#kernel/errors.ts'
import { validator } from '#kernel/http/validation.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { timezoneFaults } from './rule-faults.ts'
import { timePattern } from './rule-schema.ts'
import { type Hours, weekdays } from './rule.ts'

/** When a member takes leads. */
export interface Availability {
  paused: boolean
  /** ISO 8601; null with `paused` is until further notice. */
  paused_until: string | null
  /** IANA name; null is the rules' one. */
  timezone: string | null
  /** None is always. */
  shifts: readonly Hours[]
}

const Time = Type.String({ pattern: timePattern })

const validate = validator(
  Type.Object(
    {
      paused: Type.Boolean(),
      paused_until: nullable(Timestamp),
      timezone: nullable(Type.String({ maxLength: 64 })),
      shifts: Type.Array(
        Type.Object(
          { days: Type.Array(Type.Enum(weekdays), { minItems: 1, maxItems: 7 }), from: Time, to: Time },
          { additionalProperties: false },
        ),
        { maxItems: 50 },
      ),
    },
    { additionalProperties: false },
  ),
)

/** Throws ValidationFailed with the place of every fault. */
export function checkAvailability(availability: Availability): void {
  validate(availability)
  const faults = timezoneFaults(availability.timezone ?? undefined, 'timezone')
  if (faults.length > 0) throw ValidationFailed(faults)
}
