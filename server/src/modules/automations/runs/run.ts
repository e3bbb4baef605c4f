import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { holdMessagesOf, releaseMessagesOf } from '../../messages/public.ts'
import { automationRecord } from '../automation.ts'
import { type Backfill, turnMs } from '../backfill/backfill.ts'
import { addBackfill, changeBackfillStatus, changePace, moveStart } from '../backfill/change-backfill.ts'
import { lockBackfill, saveBackfill } from '../backfill/queries.ts'
import type { Definition, SendStep } from '../definition/definition.ts'
import { insertAutomation, insertVersion } from '../queries.ts'

/** What a campaign sends to whom. Its automation, its backfill and itself have one id. */
export interface Run extends Pick<Backfill, 'conditions' | 'per_hour'> {
  id: string
  name: string
  step: Omit<SendStep, 'key' | 'type'>
  sendWindow: Definition['send_window']
  channel: NonNullable<Backfill['channel']>
  /** Null: at once. */
  startsAt: string | null
}

/** Makes an automation of one step and a backfill of it: what a campaign runs as. */
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

/** Starts what is scheduled at another time, or at once. The caller holds it. */
export async function rescheduleRun(tx: Tx, before: Backfill, startsAt: string | null): Promise<void> {
  if (startsAt === null) await changeBackfillStatus(tx, before, 'running')
  else await moveStart(tx, before, startsAt)
}

/**
 * Stops a run at once: what has not begun to be sent does not leave until it is resumed. Its enrollments take no step meanwhile; the
 * engine pauses them, under the locks of their contacts. The caller holds it.
 */
export async function pauseRun(tx: Tx, before: Backfill, reason: string | null = null): Promise<void> {
  await holdMessagesOf(tx.unrestricted(), before.id)
  await changeBackfillStatus(tx, before, 'paused', reason)
}

/** Lets it go on: first what had been accepted, then the enrollments, which the engine resumes, then the others, all at its pace. */
export async function resumeRun(tx: Tx, before: Backfill): Promise<void> {
  const now = tx.clock.now()
  const everyMs = turnMs(before)
  const released = await releaseMessagesOf(tx.unrestricted(), before.id, now, everyMs)
  const { id } = await changeBackfillStatus(tx, before, 'running')
  saveBackfill(tx, id, { resumes_from: later(now, released * everyMs).toISOString() })
}

/** Ends it for good. What has not begun to be sent never leaves; the engine ends what is left of it. */
export async function cancelRun(tx: Tx, before: Backfill): Promise<void> {
  await holdMessagesOf(tx.unrestricted(), before.id)
  await changeBackfillStatus(tx, before, 'cancelled')
}

export const changeRunPace = async (tx: Tx, id: string, perHour: number): Promise<void> => {
  const before = await lockBackfill(tx, id)
  if (before !== undefined) await changePace(tx, before, perHour)
}
