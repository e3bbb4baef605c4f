import type { Ctx, Tx } from '#kernel/context.ts'
import { ValidationFailed, orNotFound } from '#kernel/errors.ts'
import {
  type Automation,
  automationRecord,
  AutomationMigrationStarted,
  findVersion,
  lockAutomation,
  saveAutomation,
} from '../../automations/public.ts'
import { countConcerned, listReachable } from '../../enrollments/public.ts'
import { wakeEngine } from '../change-backfill.ts'
import { type AutomationChange, changeRecord } from './change.ts'
import { insertChange, lockRunningChanges, saveChange } from './queries.ts'

/**
 * Moves an automation's enrollments to another version, if that has their current step. Throws `ValidationFailed` if the version does not
 * exist.
 */
export const migrateAutomation = (ctx: Ctx, id: string, to: number): Promise<AutomationChange> =>
  ctx.transaction(async (tx) => {
    const automation = orNotFound(await lockAutomation(tx, id))
    if ((await findVersion(tx, id, to)) === undefined)
      throw ValidationFailed([{ path: 'to', message: 'is not a version of this automation' }])
    const { change, changed } = await startChange(tx, automation, 'migrate', to)
    const after = automationRecord.applyPatch(automation, changed, tx.clock.now())
    if (after !== undefined) saveAutomation(tx, id, after.changed)
    await tx.emit(AutomationMigrationStarted, { ...automation, version: to })
    return change
  })

/**
 * Starts a bulk change of an automation's active enrollments, which the engine makes. The caller holds the automation's lock, and saves
 * `changed` to it; for a campaign, it holds the lock of the run. A migration replaces a migration in progress; any other change replaces any
 * other change in progress.
 */
export async function startChange(
  tx: Tx,
  automation: Pick<Automation, 'id'>,
  action: AutomationChange['action'],
  version: number | null = null,
): Promise<{ change: AutomationChange; changed: Pick<Automation, 'change_id'> }> {
  await replaceChanges(tx, automation.id, (other) => (other === 'migrate') === (action === 'migrate'))
  const { type, id } = tx.actor
  const concerned = { automation_id: automation.id, action, version }
  const total = await countConcerned(tx.unrestricted(), concerned)
  const now = tx.clock.now()
  const change: AutomationChange = {
    ...changeRecord.create({}, now),
    ...concerned,
    total,
    created_by: { type, id },
    ...(total === 0 && { status: 'done' as const, ended_at: now.toISOString() }),
  }
  insertChange(tx, change)
  if (total > 0) wakeEngine(tx, change)
  return { change, changed: { change_id: total === 0 ? null : change.id } }
}

/** Ends the changes in progress that a new one replaces. The caller holds the automation's lock. */
async function replaceChanges(
  tx: Tx,
  automationId: string,
  isReplaced: (action: AutomationChange['action']) => boolean,
): Promise<void> {
  for (const change of await lockRunningChanges(tx, automationId))
    if (isReplaced(change.action)) endChange(tx, change, 'replaced')
}

/** Ends a change. The caller holds its lock. */
export function endChange(tx: Tx, change: AutomationChange, status: 'done' | 'replaced'): void {
  const now = tx.clock.now()
  const patched = changeRecord.applyPatch(change, { status, ended_at: now.toISOString() }, now)
  if (patched !== undefined) saveChange(tx, change.id, patched.changed)
}

/** The change for a response. `left_out` lists only enrollments of contacts in reach. */
export async function presentChange(
  { db }: Pick<Ctx, 'db'>,
  { after: _, ...shown }: AutomationChange,
): Promise<Omit<AutomationChange, 'after'>> {
  const reachable = new Set(
    db.reach === 'all'
      ? shown.left_out.map(({ enrollment_id }) => enrollment_id)
      : await listReachable(
          db,
          shown.left_out.map(({ enrollment_id }) => enrollment_id),
        ),
  )
  return { ...shown, left_out: shown.left_out.filter(({ enrollment_id }) => reachable.has(enrollment_id)) }
}
