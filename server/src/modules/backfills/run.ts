import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { timeAfter } from '#kernel/records/record.ts'
import {
  automationRecord,
  type Definition,
  type SendStep,
  insertAutomation,
  insertVersion,
  lockAutomationOfAny,
  saveAutomation,
} from '../automations/public.ts'
import { holdMessagesOf, releaseMessagesOf } from '../messages/public.ts'
import { type Backfill, turnMs } from './backfill.ts'
import { addBackfill, changeBackfillStatus, changePace, moveStart, storedReach } from './change-backfill.ts'
import { startChange } from './changes/start-change.ts'
import { lockBackfill, saveBackfill } from './queries.ts'

/** What a campaign sends, and to whom. The campaign, its automation, and its backfill share one ID. */
export interface Run extends Pick<Backfill, 'conditions' | 'per_hour'> {
  id: string
  name: string
  step: Omit<SendStep, 'key' | 'type'>
  sendWindow: Definition['send_window']
  channel: NonNullable<Backfill['channel']>
  /** Null: at once. */
  startsAt: string | null
}

/** Adds the automation (of one step) and the backfill that a campaign runs as. */
export async function addRun(ctx: Ctx, tx: Tx, run: Run): Promise<Backfill> {
  const { id, name, channel, startsAt, conditions, per_hour } = run
  const now = tx.clock.now()
  const { type, id: actorId } = ctx.actor
  const created_by = { type, id: actorId }
  const definition = definitionOf(run)
  const row = automationRecord.create({ name, definition }, now)
  insertAutomation(tx, {
    ...row,
    id,
    kind: 'campaign',
    enabled: true,
    version: 1,
    draft_version: null,
    created_by,
  })
  insertVersion(tx, { automation_id: id, version: 1, definition, created_by, created_at: now.toISOString() })
  return addBackfill(ctx, tx, { id, automation_id: id, conditions, per_hour, channel, next_at: startsAt })
}

const definitionOf = ({ sendWindow, step }: Run): Definition => ({
  ...(sendWindow !== undefined && { send_window: sendWindow }),
  steps: [{ key: 'message', type: 'send', ...step }],
})

/** Takes the start from a scheduled run, so that it waits until it is scheduled again. The caller holds the backfill's lock. */
export const unscheduleRun = (tx: Tx, before: Backfill): Promise<void> => moveStart(tx, before, null)

/** Gives a run that has not started what its campaign has become, as a new version, and the reach of the caller. The caller holds the backfill's lock. */
export async function renewRun(ctx: Ctx, tx: Tx, before: Backfill, run: Run): Promise<Backfill> {
  const { id, name, conditions, per_hour } = run
  const { version: last, ...automation } = orNotFound(await lockAutomationOfAny(tx, id))
  const definition = definitionOf(run)
  const version = (last ?? 0) + 1
  const created_by = { type: ctx.actor.type, id: ctx.actor.id }
  const updated_at = timeAfter(automation.updated_at, tx.clock.now())
  saveAutomation(tx, id, { name, definition, version, updated_at })
  insertVersion(tx, { automation_id: id, version, definition, created_by, created_at: updated_at })
  const renewed = { conditions, per_hour, reach: storedReach(ctx), created_by }
  saveBackfill(tx, id, renewed)
  return { ...before, ...renewed }
}

/** Moves the start of a scheduled run; null starts it now. The caller holds the backfill's lock. */
export async function rescheduleRun(tx: Tx, before: Backfill, startsAt: string | null): Promise<void> {
  if (startsAt === null) await changeBackfillStatus(tx, before, 'running')
  else await moveStart(tx, before, startsAt)
}

/**
 * Pauses a run at once: messages that have not started sending are on hold until it resumes. Its enrollments take no steps meanwhile; a bulk
 * change pauses them, under the locks of their contacts. The caller holds the backfill's lock.
 */
export async function pauseRun(tx: Tx, before: Backfill, reason: string | null = null): Promise<void> {
  await holdMessagesOf(tx.unrestricted(), before.id)
  await changeBackfillStatus(tx, before, 'paused', reason)
  await startChange(tx, before, 'pause')
}

/** Resumes a run at its pace: first the accepted messages, then the enrollments, then the contacts who have not entered. */
export async function resumeRun(tx: Tx, before: Backfill): Promise<void> {
  const now = tx.clock.now()
  const everyMs = turnMs(before)
  const released = await releaseMessagesOf(tx.unrestricted(), before.id, now, everyMs)
  const { id } = await changeBackfillStatus(tx, before, 'running')
  saveBackfill(tx, id, { next_at: later(now, released * everyMs).toISOString() })
  await startChange(tx, before, 'resume')
}

/** Ends a run permanently. Messages that have not started sending are never sent; a bulk change ends the enrollments. */
export async function cancelRun(tx: Tx, before: Backfill): Promise<void> {
  await holdMessagesOf(tx.unrestricted(), before.id)
  await changeBackfillStatus(tx, before, 'cancelled')
  await startChange(tx, before, 'cancel')
}

export const changeRunPace = async (tx: Tx, id: string, perHour: number): Promise<void> => {
  const before = await lockBackfill(tx, id)
  if (before !== undefined) await changePace(tx, before, perHour)
}
