import type { Static } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { ValidationFailed, orNotFound } from '#kernel/errors.ts'
import type { Change } from '#kernel/events/event.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { findAgent, saveAgent } from './agent-queries.ts'
import { type AgentRow, agentAt, agents } from './agent.ts'
import { MemberAvailabilityChanged } from './events.ts'
import { lockRouting } from './rule-set-queries.ts'

/**
 * Changes when a member takes leads, starting with the next decision, and publishes `member.availability_changed`. A new pause
 * does not keep the end of the previous one. Leads that wait for an agent are retried within about two minutes. Throws 404 if there
 * is no such member, 412 if If-Match names another version of the agent, and `ValidationFailed` if the pause ends in the past.
 */
export const setAvailability = (
  ctx: Ctx,
  id: string,
  patch: Static<typeof agents.Patch>,
): Promise<AgentRow> =>
  ctx.transaction(async (tx) => {
    await lockRouting(tx)
    const at = tx.clock.now()
    const before = requireMatch(ctx, agentAt(orNotFound(await findAgent(tx, id)), at))
    const whole = patch.paused === undefined ? patch : { ...patch, paused_until: patch.paused_until ?? null }
    const patched = agents.applyPatch(before, whole, at)
    if (patched === undefined) return before
    const { after, changed } = patched
    if (after !== agentAt(after, at))
      throw ValidationFailed([{ path: 'paused_until', message: 'must be in the future' }])
    saveAgent(tx, after)
    await tx.emit(MemberAvailabilityChanged, { id, changes: changesOf(before, changed) })
    return after
  })

const changesOf = (before: AgentRow, { updated_at: _, ...changed }: Partial<AgentRow>): Change[] =>
  Object.entries(changed).map(([field, to]) => ({ field, from: before[field as keyof AgentRow], to }))
