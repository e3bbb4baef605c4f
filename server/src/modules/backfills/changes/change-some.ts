import type { Ctx, Tx } from '#kernel/context.ts'
import { isOutage } from '#kernel/db/errors.ts'
import { orNotFound } from '#kernel/errors.ts'
import {
  type Automation,
  automationRecord,
  findVersion,
  lockAutomation,
  saveAutomation,
} from '../../automations/public.ts'
import { lockPersons } from '../../contacts/public.ts'
import {
  endEnrollment,
  pauseEnrollment,
  resumeEnrollment,
  type Hold,
  isHeld,
  deleteChangeFromInbox,
  findNextChange,
  listConcerned,
  lockConcerned,
  type Enrollment,
  pausedByDisabling,
  type ResumptionPace,
  paceOf,
  migrateEnrollment,
} from '../../enrollments/public.ts'
import { type AutomationChange, changeRecord, mostLeftOut } from './change.ts'
import { findChange, lockChange, saveChange } from './queries.ts'
import { endChange } from './start-change.ts'

/** Enrollments per transaction. */
const perBatch = 50

/**
 * Makes the next batch of the change that has waited longest in a workspace, with its contacts locked. A batch that throws changes nothing;
 * its first enrollment is then tried alone, and left out if that throws, too. Returns how many enrollments it looked at.
 */
export async function changeSome(ctx: Ctx, hold: Hold): Promise<number> {
  const id = await findNextChange(ctx.db)
  if (id === undefined) return 0
  for (const part of [{ limit: perBatch, isFirst: true }, { limit: 1 }, { limit: 1, skips: true }])
    try {
      return await changeBatch(ctx, hold, id, part)
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

const changeBatch = (ctx: Ctx, hold: Hold, id: string, part: Part): Promise<number> =>
  ctx.transaction(async (tx) => {
    if (!(await isHeld(tx, hold))) return 0
    const seen = orNotFound(await findChange(tx, id))
    const { next, after } = await nextOf(tx, seen, part)
    await lockPersons(tx, { contactIds: next.map(({ contact_id }) => contact_id), points: [] })
    const automation = orNotFound(await lockAutomation(tx, seen.automation_id))
    const change = orNotFound(await lockChange(tx, id))
    if (change.status !== 'running' || next.length === 0) {
      finish(tx, automation, change)
      return 1
    }
    const ids = next.map((one) => one.id)
    const enrollments = part.skips === true ? [] : await lockConcerned(tx, change, ids)
    const leftOut = part.skips === true ? ids.map((one) => ({ enrollment_id: one, reason: 'error' })) : []
    const pace = paceOf(tx, automation)
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
    if (patched !== undefined) saveChange(tx, id, patched.changed)
    return next.length
  })

/**
 * The next enrollments of a change, and the contact to continue after. A pause or a cancellation starts with messages that wait to be sent.
 */
async function nextOf(tx: Tx, change: AutomationChange, { limit, isFirst = false }: Part) {
  if (change.status !== 'running') return { next: [], after: change.after }
  if (isFirst && change.after === '' && (change.action === 'pause' || change.action === 'cancel')) {
    const sending = await listConcerned(tx, change, { limit, isSending: true })
    if (sending.length > 0) return { next: sending, after: '' }
  }
  const next = await listConcerned(tx, change, { limit })
  return { next, after: next.at(-1)?.contact_id ?? change.after }
}

function finish(tx: Tx, automation: Automation, change: AutomationChange): void {
  if (change.status === 'running') endChange(tx, change, 'done')
  deleteChangeFromInbox(tx, change.id)
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
  if (change.action === 'pause') await pauseEnrollment(tx, enrollment, pausedByDisabling)
  if (change.action === 'resume') await resumeEnrollment(tx, enrollment, pace)
  if (change.action === 'cancel') await endEnrollment(tx, enrollment, 'cancelled', pausedByDisabling)
  if (change.action !== 'migrate') return undefined
  const [from, to] = await Promise.all(
    [enrollment.version, change.version ?? 0].map((version) =>
      findVersion(tx, change.automation_id, version),
    ),
  )
  return migrateEnrollment(tx, enrollment, name, orNotFound(from).definition, orNotFound(to))
}
