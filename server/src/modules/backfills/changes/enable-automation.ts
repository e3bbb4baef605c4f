import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import {
  type Automation,
  type Disabling,
  AutomationIsArchived,
  AutomationUnpublished,
  AutomationEnabled,
  AutomationWasDisabled,
  lockAutomation,
  changeAutomation,
} from '../../automations/public.ts'
import { AutomationCancelling } from '../errors.ts'
import { lockRunningChanges } from './queries.ts'
import { startChange } from './start-change.ts'

/**
 * Lets the automation enroll contacts, and resumes the enrollments that it paused when it was disabled. Throws 409
 * `automation_unpublished`, `automation_archived`, or `automation_cancelling` while its enrollments are being cancelled.
 */
export const enableAutomation = (ctx: Ctx, id: string): Promise<Automation> =>
  ctx.transaction(async (tx) => {
    const before = orNotFound(await lockAutomation(tx, id))
    if (before.archived_at !== null) throw AutomationIsArchived()
    if (before.version === null) throw AutomationUnpublished()
    if (before.enabled) return before
    await requireNotCancelling(tx, before)
    const changed = before.running === 'pause' ? (await startChange(tx, before, 'resume')).changed : {}
    const after = changeAutomation(tx, before, { enabled: true, running: null, ...changed })
    await tx.emit(AutomationEnabled, after)
    return after
  })

const actions = { pause: 'pause', finish: 'resume', cancel: 'cancel' } as const

/**
 * Stops the automation from enrolling contacts. `running` decides what happens to those enrolled, and can be changed while the automation
 * is disabled. Throws 409 `automation_cancelling`.
 */
export const disableAutomation = (ctx: Ctx, id: string, running: Disabling): Promise<Automation> =>
  ctx.transaction(async (tx) => {
    const before = orNotFound(await lockAutomation(tx, id))
    if (!before.enabled && (before.running === null || before.running === running)) return before
    await requireNotCancelling(tx, before)
    const isChange = running !== 'finish' || before.running === 'pause'
    const changed = isChange ? (await startChange(tx, before, actions[running])).changed : {}
    const after = changeAutomation(tx, before, { enabled: false, running, ...changed })
    await tx.emit(AutomationWasDisabled, after)
    return after
  })

async function requireNotCancelling(tx: Tx, { id }: Automation): Promise<void> {
  const running = await lockRunningChanges(tx, id)
  if (running.some(({ action }) => action === 'cancel')) throw AutomationCancelling()
}
