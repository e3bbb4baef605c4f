import { Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed, NotFound } from '#kernel/errors.ts'
import { validator } from '#kernel/http/validation.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { findMember } from '../workspaces/public.ts'
import { type Availability, type AvailabilityRow, findAvailability, saveAvailability } from './queries.ts'
import { timezoneIssues } from './rules/issues.ts'
import { timePattern } from './rules/rule-schema.ts'
import { weekdays } from './rules/rule.ts'

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

/** Throws `ValidationFailed` with the path of every issue. */
function checkAvailability(availability: Availability): void {
  validate(availability)
  const issues = timezoneIssues(availability.timezone ?? undefined, 'timezone')
  if (issues.length > 0) throw ValidationFailed(issues)
}

/**
 * Changes when a member takes leads. Throws `ValidationFailed` with the path of every issue. Leads that wait for an agent
 * are routed within two minutes.
 */
export const setAvailability = (
  ctx: Ctx,
  memberId: string,
  patch: Partial<Availability>,
): Promise<AvailabilityRow> =>
  ctx.transaction(async (tx) => {
    if ((await findMember(tx, memberId)) === undefined)
      throw NotFound(`There is no member ${memberId} in this workspace.`)
    const before = await findAvailability(tx, memberId)
    const after: Availability = {
      paused: before?.paused ?? false,
      // A new pause does not keep the end of the previous one.
      paused_until: patch.paused === undefined ? (before?.paused_until ?? null) : null,
      timezone: before?.timezone ?? null,
      shifts: before?.shifts ?? [],
      ...patch,
    }
    checkAvailability(after)
    return saveAvailability(tx, memberId, after, ctx.clock.now())
  })
