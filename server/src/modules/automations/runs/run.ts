import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { cancelUnsent, holdMessagesOf, listUnsentOf, releaseMessagesOf } from '../../messages/public.ts'
import { automationRecord } from '../automation.ts'
import type { Backfill } from '../backfill/backfill.ts'
import { addBackfill, changeBackfillStatus, changePace } from '../backfill/change-backfill.ts'
import { lockBackfill, saveBackfill } from '../backfill/queries.ts'
import { endEnrollment } from '../change-enrollment.ts'
import type { Definition, SendStep } from '../definition/definition.ts'
import { insertAutomation, insertVersion } from '../queries.ts'
import { lockActiveIn, lockPausedIn, pauseEnrollmentsIn, resumeEach } from './queries.ts'

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

const hourMs = 3_600_000

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
  insertAutomation(tx, { ...row, id, kind: 'campaign', enabled: true, version: 1, created_by })
  insertVersion(tx, { automation_id: id, version: 1, definition, created_by, created_at: now.toISOString() })
  return addBackfill(ctx, tx, { id, automation_id: id, conditions, per_hour, channel, next_at: startsAt })
}

/** Starts what is scheduled at another time, or at once. The caller holds it. */
export async function rescheduleRun(tx: Tx, before: Backfill, startsAt: string | null): Promise<void> {
  if (startsAt === null) await changeBackfillStatus(tx, before, 'running')
  else saveBackfill(tx, before.id, { next_at: startsAt })
}

/** Stops a run at once: what has not begun to be sent does not leave until it is resumed. The caller holds it. */
export async function pauseRun(tx: Tx, before: Backfill): Promise<void> {
  await stop(tx, before)
  await changeBackfillStatus(tx, before, 'paused')
}

/** What a pause holds back. */
export async function stop(limited: Tx, { automation_id }: Backfill): Promise<void> {
  const tx = limited.unrestricted()
  pauseEnrollmentsIn(tx, automation_id, tx.clock.now())
  await holdMessagesOf(tx, automation_id)
}

/** Lets it go on: first what had been accepted, then the others, all at its pace. */
export async function resumeRun(limited: Tx, before: Backfill): Promise<void> {
  const tx = limited.unrestricted()
  const { automation_id, per_hour } = before
  const now = tx.clock.now()
  const everyMs = Math.ceil(hourMs / per_hour)
  const released = await releaseMessagesOf(tx, automation_id, now, everyMs)
  const after = later(now, released * everyMs)
  const paused = await lockPausedIn(tx, automation_id)
  const turns = paused.map(({ id }, place) => ({ id, at: later(after, place * everyMs) }))
  if (turns.length > 0) resumeEach(tx, turns, now)
  await changeBackfillStatus(tx, before, 'running', null, after)
}

/** Ends it for good. What has not begun to be sent never leaves. */
export async function cancelRun(tx: Tx, before: Backfill): Promise<void> {
  await stop(tx, before)
  const cancelled = await changeBackfillStatus(tx, before, 'cancelled')
  if (await cancelSome(tx, before)) saveBackfill(tx, cancelled.id, { next_at: tx.clock.now().toISOString() })
}

export const changeRunPace = async (tx: Tx, id: string, perHour: number): Promise<void> => {
  const before = await lockBackfill(tx, id)
  if (before !== undefined) await changePace(tx, before, perHour)
}

const atOnce = 200

/** Ends some of what is left of a cancelled run. Returns whether there may be more. */
export async function cancelSome(limited: Tx, { automation_id }: Backfill): Promise<boolean> {
  const tx = limited.unrestricted()
  const enrollments = await lockActiveIn(tx, automation_id, atOnce)
  for (const enrollment of enrollments) await endEnrollment(tx, enrollment, 'cancelled', 'campaign_cancelled')
  const messages = await listUnsentOf(tx, automation_id, atOnce)
  await cancelUnsent(tx, messages)
  return enrollments.length === atOnce || messages.length === atOnce
}
