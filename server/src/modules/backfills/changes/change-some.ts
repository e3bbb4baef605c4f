import type { Ctx, Tx } from '#kernel/context.ts'
import { isOutage } from '#kernel/db/errors.ts'
import { orNotFound } from '#kernel/errors.ts'
import {
  type Automation,
  automationRecord,
  findVersion,
  lockAutomationOfAny,
  saveAutomation,
} from '../../automations/public.ts'
import { lockPersons } from '../../contacts/public.ts'
import {
  cancelWithOthers,
  pauseWithOthers,
  resumeWithOthers,
  type Hold,
  isHeld,
  listConcerned,
  lockConcerned,
  type Enrollment,
  type ResumptionPace,
  paceFrom,
  paceOf,
  migrateEnrollment,
} from '../../enrollments/public.ts'
import type { Backfill } from '../backfill.ts'
import { lockBackfill, saveBackfill } from '../queries.ts'
import { type AutomationChange, changeRecord, mostLeftOut } from './change.ts'
import { findNextChange, lockChange, saveChange } from './queries.ts'
import { endChange } from './start-change.ts'

/** Enrollments per transaction. */
const perBatch = 50

/**
 * Makes the next batch of the change that has waited longest in a workspace, with its contacts locked. A batch that throws changes nothing;
 * its first enrollment is then tried alone, and left out if that throws, too. Returns how many enrollments it looked at.
 */
export async function changeSome(ctx: Ctx, hold: Hold): Promise<number> {
  const seen = await findNextChange(ctx.db)
  if (seen === undefined) return 0
  for (const part of [{ limit: perBatch, isFirst: true }, { limit: 1 }, { limit: 1, skips: true }])
    try {
      return await changeBatch(ctx, hold, seen, part)
    } catch (error) {
      if (isOutage(error)) throw error
      ctx.log.warn({ err: error, workspace: ctx.workspaceId }, 'enrollments were not changed')
    }
  return 0
}

interface Part {
  limit: number
  /** Starts with enrollments whose message waits to be sent. */
  isFirst?: boolean
  /** Leaves the enrollments out. */
  skips?: boolean
}

const changeBatch = (ctx: Ctx, hold: Hold, seen: AutomationChange, part: Part): Promise<number> =>
  ctx.transaction(async (tx) => {
    if (!(await isHeld(tx, hold))) return 0
    // Lock order: runs before contacts. The run of a campaign has the ID of its automation.
    const run = await lockBackfill(tx, seen.automation_id)
    const { next, after } = await nextOf(tx, seen, part)
    await lockPersons(tx, { contactIds: next.map(({ contact_id }) => contact_id), points: [] })
    const automation = orNotFound(await lockAutomationOfAny(tx, seen.automation_id))
    const change = orNotFound(await lockChange(tx, seen.id))
    if (change.status !== 'running') return 1
    if (next.length === 0) {
      finish(tx, automation, change)
      return 1
    }
    const ids = next.map((one) => one.id)
    const enrollments = part.skips === true ? [] : await lockConcerned(tx, change, ids)
    const leftOut = part.skips === true ? ids.map((one) => ({ enrollment_id: one, reason: 'error' })) : []
    const pace = run === undefined ? paceOf(tx, automation) : paceOfRun(tx, run)
    let changed = 0
    for (const enrollment of enrollments) {
      const reason = await apply(tx, { change, enrollment, pace, name: automation.name })
      if (reason === undefined) changed++
      else leftOut.push({ enrollment_id: enrollment.id, reason })
    }
    pace.save()
    const patched = changeRecord.applyPatch(
      change,
      {
        after,
        changed: change.changed + changed,
        unchanged: change.unchanged + leftOut.length,
        left_out: [...change.left_out, ...leftOut].slice(0, mostLeftOut),
      },
      tx.clock.now(),
    )
    if (patched !== undefined) saveChange(tx, seen.id, patched.changed)
    return next.length
  })

/** The turns of a campaign. The contacts who have not entered follow. */
const paceOfRun = (tx: Tx, { id, next_at, per_hour }: Backfill): ResumptionPace =>
  paceFrom(next_at, per_hour, (next) => saveBackfill(tx, id, { next_at: next }))

/**
 * The next enrollments of a change, and the contact to continue after. A pause or a cancellation starts with messages that wait to be sent.
 */
async function nextOf(tx: Tx, change: AutomationChange, { limit, isFirst = false }: Part) {
  if (isFirst && change.after === '' && (change.action === 'pause' || change.action === 'cancel')) {
    const sending = await listConcerned(tx, change, { limit, isSending: true })
    if (sending.length > 0) return { next: sending, after: '' }
  }
  const next = await listConcerned(tx, change, { limit })
  return { next, after: next.at(-1)?.contact_id ?? change.after }
}

function finish(tx: Tx, automation: Automation, change: AutomationChange): void {
  endChange(tx, change, 'done')
  if (automation.change_id !== change.id) return
  const patched = automationRecord.applyPatch(automation, { change_id: null }, tx.clock.now())
  if (patched !== undefined) saveAutomation(tx, automation.id, patched.changed)
}

interface Work {
  change: AutomationChange
  enrollment: Enrollment
  pace: ResumptionPace
  /** The automation's name. */
  name: string
}

/**
 * Changes an enrollment. The caller holds the locks of the contact, the automation, and the enrollment. Returns the reason if it was left
 * unchanged.
 */
async function apply(tx: Tx, { change, enrollment, pace, name }: Work): Promise<string | undefined> {
  if (change.action === 'pause') await pauseWithOthers(tx, enrollment)
  if (change.action === 'resume') await resumeWithOthers(tx, enrollment, pace)
  if (change.action === 'cancel') await cancelWithOthers(tx, enrollment)
  if (change.action !== 'migrate') return undefined
  const [from, to] = await Promise.all(
    [enrollment.version, change.version ?? 0].map((version) =>
      findVersion(tx, change.automation_id, version),
    ),
  )
  return migrateEnrollment(tx, enrollment, name, orNotFound(from).definition, orNotFound(to))
}
