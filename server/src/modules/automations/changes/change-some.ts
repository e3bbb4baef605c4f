import type { Ctx, Tx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { lockPersons } from '../../contacts/public.ts'
import { type Automation, automationRecord } from '../automation.ts'
import { endEnrollment, pauseEnrollment, resumeEnrollment } from '../change-enrollment.ts'
import { deleteLetters, type Hold, isHeld } from '../engine/queue-queries.ts'
import { listConcerned, lockConcerned } from '../enrollment-queries.ts'
import { type Enrollment, pausedByDisabling } from '../enrollment.ts'
import { findVersion, lockAutomation, saveAutomation } from '../queries.ts'
import { type Pace, paceOf } from '../resumption.ts'
import { findChange, findNextChange, lockChange, saveChange } from './change-queries.ts'
import { type AutomationChange, changeRecord, mostLeftOut } from './change.ts'
import { migrateEnrollment } from './migrate-enrollment.ts'
import { endChange } from './start-change.ts'

/** Enrollments in one transaction. */
const perBatch = 50

/**
 * Makes the next batch of the change that has waited longest in a workspace, under the locks of its contacts. A batch that throws has
 * changed nothing; its first enrollment is then changed alone, or left out. Returns how many enrollments it has looked at.
 */
export async function changeSome(ctx: Ctx, hold: Hold): Promise<number> {
  const id = await findNextChange(ctx.db)
  if (id === undefined) return 0
  try {
    return await changeBatch(ctx, hold, id, perBatch)
  } catch (error) {
    ctx.log.warn({ err: error, workspace: ctx.workspaceId }, 'a batch of enrollments was not changed')
  }
  try {
    return await changeBatch(ctx, hold, id, 1)
  } catch (error) {
    ctx.log.warn({ err: error, workspace: ctx.workspaceId }, 'an enrollment was not changed')
    return changeBatch(ctx, hold, id, 1, true)
  }
}

/** `skips`: leaves them out. */
const changeBatch = (ctx: Ctx, hold: Hold, id: string, limit: number, skips = false): Promise<number> =>
  ctx.transaction(async (tx) => {
    if (!(await isHeld(tx, hold))) return 0
    const seen = found(await findChange(tx, id))
    const next = seen.status === 'running' ? await listConcerned(tx, seen, limit) : []
    await lockPersons(tx, { contactIds: next.map(({ contact_id }) => contact_id), points: [] })
    const automation = found(await lockAutomation(tx, seen.automation_id))
    const change = found(await lockChange(tx, id))
    if (change.status !== 'running' || next.length === 0) {
      finish(tx, automation, change)
      return 1
    }
    const enrollments = await lockConcerned(
      tx,
      change,
      next.map((one) => one.id),
    )
    const pace = paceOf(tx, automation)
    const leftOut: AutomationChange['left_out'] = []
    for (const enrollment of enrollments) {
      const reason = skips ? 'error' : await apply(tx, { change, enrollment, automation, pace })
      if (reason !== undefined) leftOut.push({ enrollment_id: enrollment.id, reason })
    }
    pace.save()
    const patched = changeRecord.applyPatch(
      change,
      {
        after: next.at(-1)?.contact_id ?? '',
        changed: change.changed + enrollments.length - leftOut.length,
        unchanged: change.unchanged + leftOut.length,
        left_out: [...change.left_out, ...leftOut].slice(0, mostLeftOut),
      },
      tx.clock.now(),
    )
    if (patched !== undefined) saveChange(tx, id, patched.changed)
    return next.length
  })

function finish(tx: Tx, automation: Automation, change: AutomationChange): void {
  if (change.status === 'running') endChange(tx, change, 'done')
  deleteLetters(tx, [change.id])
  if (automation.change_id !== change.id) return
  const patched = automationRecord.applyPatch(automation, { change_id: null }, tx.clock.now())
  if (patched !== undefined) saveAutomation(tx, automation.id, patched.changed)
}

interface Work {
  change: AutomationChange
  enrollment: Enrollment
  automation: Automation
  pace: Pace
}

/** Changes an enrollment, whose contact and automation are locked. Returns why it was left as it is, if it was. */
async function apply(tx: Tx, { change, enrollment, pace }: Work): Promise<string | undefined> {
  if (change.action === 'pause') await pauseEnrollment(tx, enrollment, pausedByDisabling)
  if (change.action === 'resume') await resumeEnrollment(tx, enrollment, pace)
  if (change.action === 'cancel') await endEnrollment(tx, enrollment, 'cancelled', pausedByDisabling)
  if (change.action !== 'migrate') return undefined
  const [from, to] = await Promise.all(
    [enrollment.version, change.version ?? 0].map((version) =>
      findVersion(tx, change.automation_id, version),
    ),
  )
  return migrateEnrollment(tx, enrollment, found(from).definition, found(to))
}
