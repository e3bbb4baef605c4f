import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { holdMessagesOf, releaseMessagesOf } from '../../messages/public.ts'
import { automationRecord } from '../automation.ts'
import { type Backfill, turnMs } from '../backfill/backfill.ts'
import { addBackfill, changeBackfillStatus, changePace, moveStart } from '../backfill/change-backfill.ts'
import { lockBackfill, saveBackfill } from '../backfill/queries.ts'
import type { Definition, SendStep } from '../definition/definition.ts'
import { insertAutomation, insertVersion } from '../queries.ts'

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
  const { id, name, step, sendWindow, channel, startsAt, conditions, per_hour } = run
  const now = tx.clock.now()
  const { type, id: actorId } = ctx.actor
  const created_by = { type, id: actorId }
  const definition: Definition = {
    ...(sendWindow !== undefined && { send_window: sendWindow }),
    steps: [{ key: 'message', type: 'send', ...step }],
  }
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

/** Moves the start of a scheduled run; null starts it now. The caller holds the backfill's lock. */
export async function rescheduleRun(tx: Tx, before: Backfill, startsAt: string | null): Promise<void> {
  if (startsAt === null) await changeBackfillStatus(tx, before, 'running')
  else await moveStart(tx, before, startsAt)
}

/**
 * Pauses a run at once: messages that have not started sending are on hold until it resumes. Its enrollments take no steps meanwhile; the
 * engine pauses them, under the locks of their contacts. The caller holds the backfill's lock.
 */
export async function pauseRun(tx: Tx, before: Backfill, reason: string | null = null): Promise<void> {
  await holdMessagesOf(tx.unrestricted(), before.id)
  await changeBackfillStatus(tx, before, 'paused', reason)
}

/**
 * Resumes a run at its pace: first the accepted messages, then the enrollments, which the engine resumes, then the contacts who have not
 * entered.
 */
export async function resumeRun(tx: Tx, before: Backfill): Promise<void> {
  const now = tx.clock.now()
  const everyMs = turnMs(before)
  const released = await releaseMessagesOf(tx.unrestricted(), before.id, now, everyMs)
  const { id } = await changeBackfillStatus(tx, before, 'running')
  saveBackfill(tx, id, { resumes_from: later(now, released * everyMs).toISOString() })
}

/** Ends a run permanently. Messages that have not started sending are never sent; the engine ends the enrollments. */
export async function cancelRun(tx: Tx, before: Backfill): Promise<void> {
  await holdMessagesOf(tx.unrestricted(), before.id)
  await changeBackfillStatus(tx, before, 'cancelled')
}

export const changeRunPace = async (tx: Tx, id: string, perHour: number): Promise<void> => {
  const before = await lockBackfill(tx, id)
  if (before !== undefined) await changePace(tx, before, perHour)
}
