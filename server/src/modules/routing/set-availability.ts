import type { Ctx } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import { findMember } from '../workspaces/public.ts'
import { type Availability, checkAvailability } from './availability.ts'
import { type AvailabilityRow, findAvailability, saveAvailability } from './queries.ts'

/**
 * Changes when a member takes leads: what the patch names. A fault is a ValidationFailed with its path. Leads that wait
 * for an agent come by within two minutes.
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
      // Another pause has an end of its own.
      paused_until: patch.paused === undefined ? (before?.paused_until ?? null) : null,
      timezone: before?.timezone ?? null,
      shifts: before?.shifts ?? [],
      ...patch,
    }
    checkAvailability(after)
    return saveAvailability(tx, memberId, after, ctx.clock.now())
  })
