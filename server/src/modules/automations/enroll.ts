import type { Ctx, Tx } from '#kernel/context.ts'
import { NotFound, found } from '#kernel/errors.ts'
import { holdNamed } from '../contacts/public.ts'
import { letter } from './append.ts'
import type { Automation } from './automation.ts'
import { beginning } from './definition/advance.ts'
import { findActive, insertEnrollment } from './enrollment-queries.ts'
import { type Enrollment, enrollmentRecord } from './enrollment.ts'
import { AutomationDisabled } from './errors.ts'
import { EnrollmentCreated } from './events.ts'
import { findVersion, holdAutomation } from './queries.ts'

/**
 * Enrolls a contact, which the engine then takes through the automation; or returns the enrollment that is active already. 409
 * `automation_disabled`, `contact_erased`.
 */
export const enrollContact = (
  ctx: Ctx,
  automationId: string,
  { contact_id, context = null }: { contact_id: string; context?: Record<string, unknown> | null },
): Promise<{ enrollment: Enrollment; created: boolean }> =>
  ctx.transaction(async (tx) => {
    const requireContact = await holdNamed(tx, [['contact_id', contact_id]])
    const automation = found(await holdAutomation(tx, automationId))
    requireContact()
    if (automation.kind === 'campaign') throw NotFound()
    if (!automation.enabled || automation.version === null) throw AutomationDisabled()
    const source = ctx.actor.type === 'member' ? ('member' as const) : ('api' as const)
    const created = await addEnrollment(tx, automation, { contact_id, context, source })
    if (created !== undefined) return { enrollment: created, created: true }
    return { enrollment: found(await findActive(tx, automationId, contact_id)), created: false }
  })

type How = Pick<Enrollment, 'contact_id' | 'source'> &
  Partial<Pick<Enrollment, 'context' | 'event_id' | 'chain'>>

/** Adds an enrollment that is due at once; undefined if one is active. The caller holds contact and automation. */
export async function addEnrollment(
  tx: Tx,
  { id, version }: Automation,
  how: How,
): Promise<Enrollment | undefined> {
  const { definition } = found(await findVersion(tx, id, version ?? 0))
  const now = tx.clock.now()
  const enrollment: Enrollment = {
    ...enrollmentRecord.create({}, now),
    ...how,
    automation_id: id,
    version: version ?? 0,
    step_key: beginning(definition).at,
    due_at: now.toISOString(),
  }
  if (!(await insertEnrollment(tx, enrollment))) return undefined
  letter(tx, { contact_id: how.contact_id })
  await tx.emit(EnrollmentCreated, enrollment)
  return enrollment
}
