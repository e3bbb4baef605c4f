import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { isOutage } from '#kernel/db/errors.ts'
import { orNotFound } from '#kernel/errors.ts'
import { type Hold, hasActive, isHeld } from '../enrollments/public.ts'
import { cancelUnsent, isUnderWay, listUnsentOf, lockContactsOfForShare } from '../messages/public.ts'
import { findWorkspace } from '../workspaces/public.ts'
import type { Backfill, BackfillContact } from './backfill.ts'
import { cancelledAtOnce, changeBackfillStatus } from './change-backfill.ts'
import { enterContact } from './enter-contact.ts'
import { freezeBatch } from './freeze.ts'
import { type Outlook, findOutlooks } from './outlook.ts'
import {
  findNextContact,
  leaveOutWaiting,
  listDueBackfills,
  listWaitingContacts,
  lockBackfill,
  postponeContacts,
  saveBackfill,
  saveBackfillContact,
} from './queries.ts'
import { pauseRun } from './run.ts'

/** How many backfills one visit moves, and how many contacts of each it looks at. */
const perVisit = 10
const perBatch = 50
/** Delay before the next look at a backfill that threw, or whose last messages are still being sent. */
const lookAgainMs = 15_000

/** Moves the due backfills of a lane a little further, in short transactions. Returns how many were due. */
export async function moveBackfills(ctx: Ctx, hold: Hold): Promise<number> {
  const due = await listDueBackfills(ctx.db, ctx.clock.now(), perVisit)
  for (const backfill of due) {
    try {
      await moveBackfill(ctx, hold, backfill)
    } catch (error) {
      ctx.log.warn(
        { err: error, workspace: ctx.workspaceId, backfill: backfill.id },
        'a backfill was not moved',
      )
      await inTurn(ctx, hold, backfill, async (tx) => lookAgain(tx, backfill))
    }
  }
  return due.length
}

async function moveBackfill(ctx: Ctx, hold: Hold, backfill: Backfill): Promise<void> {
  if (backfill.status === 'running' && backfill.frozen_at !== null) return enterSome(ctx, hold, backfill)
  const { timezone } = orNotFound(await findWorkspace(ctx.directory, ctx.workspaceId))
  await inTurn(ctx, hold, backfill, async (tx, locked) => {
    if (locked.status === 'scheduled') await changeBackfillStatus(tx, locked, 'running')
    else if (locked.status === 'cancelled') await leaveOut(tx, locked)
    else await freezeBatch(tx, locked, timezone)
  })
}

/** Works on a backfill in a transaction, if the lane is still held and the backfill has not changed. */
const inTurn = (
  ctx: Ctx,
  hold: Hold,
  { id, status, frozen_at }: Backfill,
  work: (tx: Tx, locked: Backfill) => Promise<void>,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (!(await isHeld(tx, hold))) return
    const locked = await lockBackfill(tx, id)
    if (locked?.status === status && locked.frozen_at === frozen_at && locked.next_at !== null)
      await work(tx, locked)
  })

/** Leaves out the next waiting contacts of a cancelled backfill, and cancels the next messages of a campaign. */
async function leaveOut(tx: Tx, { id }: Backfill): Promise<void> {
  const left = await leaveOutWaiting(tx, id, 'cancelled', tx.clock.now(), cancelledAtOnce)
  const messages = await listUnsentOf(tx, id, perBatch)
  await lockContactsOfForShare(tx, messages)
  await cancelUnsent(tx, messages)
  if (left < cancelledAtOnce && messages.length < perBatch) saveBackfill(tx, id, { next_at: null })
}

const lookAgain = (tx: Tx, { id }: Backfill): void =>
  saveBackfill(tx, id, { next_at: later(tx.clock.now(), lookAgainMs).toISOString() })

/** Enrolls contacts as far as the pace allows. A contact whose first message may not be sent yet enters when it may. */
async function enterSome(ctx: Ctx, hold: Hold, backfill: Backfill): Promise<void> {
  const now = ctx.clock.now()
  const waiting = await listWaitingContacts(ctx.db, backfill.id, now, perBatch)
  if (waiting.length === 0) return inTurn(ctx, hold, backfill, waitOrEnd)
  const outlooks = await findOutlooks(ctx, backfill, waiting)
  const lacking = [...outlooks.values()].map(({ sender }) => sender)
  // No message can be sent, for a reason on the sender's side. Pause until a person has fixed it.
  if (lacking.length > 0 && lacking.every((reason) => reason !== undefined))
    return inTurn(ctx, hold, backfill, async (tx, locked) => {
      const [reason = null] = lacking
      if (locked.channel === null) await changeBackfillStatus(tx, locked, 'paused', reason)
      else await pauseRun(tx, locked, reason)
    })
  await postpone(ctx, hold, backfill, waiting, outlooks)
  for (const { id, contact_id } of waiting) {
    const { until, counts } = outlooks.get(id) ?? { counts: true }
    if (until !== undefined) continue
    const entry = await enterOrLeaveOut(ctx, hold, backfill, { id, contactId: contact_id, counts })
    if (entry === 'stopped') return
  }
}

/** Enrolls a contact, or leaves out one whose enrollment throws twice, so that it does not hold up the others. */
async function enterOrLeaveOut(
  ctx: Ctx,
  hold: Hold,
  backfill: Backfill,
  place: Parameters<typeof enterContact>[3],
): ReturnType<typeof enterContact> {
  for (let attempts = 0; attempts < 2; attempts++)
    try {
      return await enterContact(ctx, hold, backfill.id, place)
    } catch (error) {
      if (isOutage(error)) throw error
      ctx.log.warn(
        { err: error, workspace: ctx.workspaceId, backfill: backfill.id },
        'a contact did not enter',
      )
    }
  const decided_at = ctx.clock.now().toISOString()
  const left = { status: 'left_out' as const, reason: 'error', due_at: null, decided_at, point: null }
  await inTurn(ctx, hold, backfill, async (tx) => saveBackfillContact(tx, place.id, left))
  return 'left_out'
}

async function postpone(
  ctx: Ctx,
  hold: Hold,
  backfill: Backfill,
  waiting: readonly BackfillContact[],
  outlooks: ReadonlyMap<string, Outlook>,
): Promise<void> {
  const postponed = waiting.flatMap(({ id }) => {
    const until = outlooks.get(id)?.until
    return until === undefined ? [] : [{ id, at: until }]
  })
  if (postponed.length > 0) await inTurn(ctx, hold, backfill, async (tx) => postponeContacts(tx, postponed))
}

/** Decides how to continue when no contact may enter now. */
async function waitOrEnd(tx: Tx, backfill: Backfill): Promise<void> {
  const next = await findNextContact(tx, backfill.id)
  if (next !== undefined) saveBackfill(tx, backfill.id, { next_at: next })
  else if (backfill.channel !== null && (await isRunning(tx, backfill))) lookAgain(tx, backfill)
  else await changeBackfillStatus(tx, backfill, 'completed')
}

/** Whether a campaign whose last contact has entered is still sending. */
const isRunning = async (tx: Tx, { automation_id }: Backfill): Promise<boolean> =>
  (await hasActive(tx, automation_id)) || isUnderWay(tx, automation_id)
