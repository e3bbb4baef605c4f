import type { Ctx, Tx } from '#kernel/context.ts'
import type { Reach } from '#kernel/db/handles.ts'
import { NotFound, orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { newId } from '#kernel/ids.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { requireConditions, AutomationDisabled, lockAutomationForShare } from '../automations/public.ts'
import { appendToInbox } from '../enrollments/public.ts'
import { type Backfill, type BackfillPatch, backfillRecord, ofOwn } from './backfill.ts'
import { BackfillEnded } from './errors.ts'
import { BackfillCreated, BackfillStatusChanged, BackfillUpdated } from './events.ts'
import { insertBackfill, leaveOutWaiting, lockBackfill, saveBackfill } from './queries.ts'

type Draft = Pick<Backfill, 'conditions'> & Partial<Pick<Backfill, 'per_hour' | 'status'>>

/**
 * Starts to enroll the contacts within the caller's reach for whom the conditions hold now; if it is paused, only counts them. Throws 409
 * `automation_disabled`.
 */
export function createBackfill(ctx: Ctx, automationId: string, draft: Draft): Promise<Backfill> {
  requireConditions(draft.conditions, 'conditions')
  return ctx.transaction(async (tx) => {
    const { kind, enabled, version } = orNotFound(await lockAutomationForShare(tx, automationId))
    if (kind === 'campaign') throw NotFound()
    if (!enabled || version === null) throw AutomationDisabled()
    return addBackfill(ctx, tx, { ...draft, automation_id: automationId })
  })
}

/** Adds a backfill that starts now, or at `next_at`. The caller holds the automation's lock. */
export async function addBackfill(
  ctx: Ctx,
  tx: Tx,
  {
    next_at,
    id = newId(tx.clock.now()),
    automation_id,
    channel = null,
    status = 'running',
    ...draft
  }: Draft & Pick<Backfill, 'automation_id'> & Partial<Pick<Backfill, 'id' | 'channel' | 'next_at'>>,
): Promise<Backfill> {
  const now = tx.clock.now()
  const { type, id: actorId } = ctx.actor
  const backfill: Backfill = {
    ...backfillRecord.create(draft, now),
    id,
    automation_id,
    channel,
    reach: storedReach(ctx),
    created_by: { type, id: actorId },
    ...(next_at === undefined || next_at === null
      ? { status, next_at: now.toISOString(), started_at: now.toISOString() }
      : { next_at, status: 'scheduled' as const }),
  }
  insertBackfill(tx, backfill)
  wakeEngine(tx, backfill)
  await tx.emit(BackfillCreated, backfill)
  return backfill
}

export const storedReach = ({ reach }: Ctx): Backfill['reach'] => (reach === 'all' ? null : [...reach])

/**
 * Changes the pace of a backfill, or pauses, resumes, or cancels it. Throws 404 if it includes contacts out of reach, and 409
 * `backfill_ended`.
 */
export const updateBackfill = (ctx: Ctx, id: string, patch: BackfillPatch): Promise<Backfill> =>
  ctx.transaction(async (tx) => {
    const locked = ofOwn(await lockBackfill(tx, id))
    const before = requireMatch(ctx, orNotFound(locked && isWithin(ctx.reach, locked) ? locked : undefined))
    const { status = before.status, per_hour = before.per_hour } = patch
    if (status === before.status && per_hour === before.per_hour) return before
    if (isOver(before)) throw BackfillEnded(before.status)
    const paced = per_hour === before.per_hour ? before : await changePace(tx, before, per_hour)
    return status === before.status ? paced : changeBackfillStatus(tx, paced, status)
  })

/** Whether all contacts of a backfill are in reach. */
const isWithin = (reach: Reach, { reach: taken }: Backfill): boolean =>
  reach === 'all' || (taken !== null && taken.every((member) => reach.includes(member)))

const isOver = ({ status }: Backfill): boolean => status === 'completed' || status === 'cancelled'

export async function changePace(tx: Tx, before: Backfill, per_hour: number): Promise<Backfill> {
  const after = change(tx, before, { per_hour })
  if (after !== before) await tx.emit(BackfillUpdated, { ...after, changed: ['per_hour'] })
  return after
}

/** Moves the start of a scheduled backfill; with null, it does not start. The caller holds its lock. */
export async function moveStart(tx: Tx, before: Backfill, startsAt: string | null): Promise<void> {
  const after = change(tx, before, { next_at: startsAt })
  wakeEngine(tx, after)
  await tx.emit(BackfillUpdated, { ...after, changed: ['next_at'] })
}

/** How many waiting contacts a cancellation leaves out at once. The engine handles the rest. */
export const cancelledAtOnce = 5000

/** Changes the status of a backfill that has not ended. The caller holds its lock. */
export async function changeBackfillStatus(
  tx: Tx,
  before: Backfill,
  status: Backfill['status'],
  reason: string | null = null,
): Promise<Backfill> {
  const now = tx.clock.now()
  const at = now.toISOString()
  // A paused backfill is still counted.
  const isIdle = status === 'completed' || (status === 'paused' && before.frozen_at !== null)
  const changed: Partial<Backfill> = { status, reason, next_at: isIdle ? null : at }
  if (status === 'running') changed.started_at = before.started_at ?? at
  if (status === 'completed' || status === 'cancelled') changed.ended_at = at
  if (status === 'cancelled')
    await leaveOutWaiting(tx.unrestricted(), before.id, 'cancelled', now, cancelledAtOnce)
  const after = change(tx, before, changed)
  if (after.next_at !== null) wakeEngine(tx, after)
  await tx.emit(BackfillStatusChanged, after)
  return after
}

/** Makes the engine look at the workspace. No contact has this ID, so the inbox row does nothing else. */
export const wakeEngine = (tx: Tx, { id }: { id: string }): void => appendToInbox(tx, { contact_id: id })

function change(tx: Tx, before: Backfill, changed: Partial<Backfill>): Backfill {
  const written = { ...changed, updated_at: timeAfter(before.updated_at, tx.clock.now()) }
  saveBackfill(tx, before.id, written)
  return { ...before, ...written }
}
