import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { NotFound, ValidationFailed, orNotFound } from '#kernel/errors.ts'
import {
  type Automation,
  type Definition,
  AutomationDisabled,
  findVersion,
  lockAutomationForShare,
} from '../automations/public.ts'
import { lockNamedForShare, lockContact } from '../contacts/public.ts'
import { beginning } from './advance.ts'
import { endEnrollment } from './change-enrollment.ts'
import { type Enrollment, enrollmentRecord } from './enrollment.ts'
import { ExclusiveGroupTaken } from './errors.ts'
import { EnrollmentCreated } from './events.ts'
import { appendToInbox } from './inbox/append.ts'
import { findActive, findBeginning, findInGroup, insertEnrollment, lockEnrollment } from './queries.ts'

const maxContextBytes = 16 * 1024

/** Throws `ValidationFailed` if the context is larger than 16 KiB. */
export function requireContext(context: Record<string, unknown> | null): void {
  if (Buffer.byteLength(JSON.stringify(context)) > maxContextBytes)
    throw ValidationFailed([{ path: 'context', message: `must have at most ${maxContextBytes} bytes` }])
}

/**
 * Enrolls a contact, or returns the enrollment that is already active. The engine takes the steps afterwards. Throws 409
 * `automation_disabled`, `contact_erased`, or `exclusive_group_taken`.
 */
export const enrollContact = (
  ctx: Ctx,
  automationId: string,
  { contact_id, context = null }: { contact_id: string; context?: Record<string, unknown> | null },
): Promise<{ enrollment: Enrollment; created: boolean }> => {
  requireContext(context)
  return ctx.transaction(async (tx) => {
    await lockContact(tx.unrestricted(), contact_id)
    const requireContact = await lockNamedForShare(tx, [['contact_id', contact_id]])
    const automation = orNotFound(await lockAutomationForShare(tx, automationId))
    requireContact()
    if (automation.kind === 'campaign') throw NotFound()
    if (!automation.enabled || automation.version === null) throw AutomationDisabled()
    const source = ctx.actor.type === 'member' ? ('member' as const) : ('api' as const)
    const { enrollment, taken } = await addEnrollment(tx, automation, { contact_id, context, source })
    if (taken === 'group')
      throw ExclusiveGroupTaken({ group: enrollment.group_name ?? '', enrollment: enrollment.id })
    if (taken === undefined) await tx.emit(EnrollmentCreated, enrollment)
    return { enrollment, created: taken === undefined }
  })
}

type How = Pick<Enrollment, 'contact_id' | 'source'> &
  Partial<Pick<Enrollment, 'context' | 'event_id' | 'chain'>>

interface Added {
  /** Why the contact was not enrolled; `enrollment` is then the one in the way. */
  taken?: 'active' | 'group'
  enrollment: Enrollment
}

/**
 * Adds an enrollment that is due at once, or at its turn if `max_per_hour` limits triggers. Returns the enrollment in the way instead, if
 * there is one. The caller holds the locks of the contact, so that concurrent enrollments see each other, and of the automation.
 */
export async function addEnrollment(tx: Tx, { id, version }: Automation, how: How): Promise<Added> {
  const { definition } = orNotFound(await findVersion(tx, id, version ?? 0))
  const active = await findActive(tx, id, how.contact_id)
  if (active !== undefined) return { taken: 'active', enrollment: active }
  const { exclusive_group: group } = definition
  const other = group && (await findInGroup(tx, group.name, how.contact_id))
  if (other !== undefined && group?.when_taken !== 'replace') return { taken: 'group', enrollment: other }
  if (other !== undefined)
    await endEnrollment(tx, orNotFound(await lockEnrollment(tx, other.id)), 'exited', 'replaced')
  const now = tx.clock.now()
  const begins = how.source === 'trigger' ? await turnOf(tx, id, definition) : null
  const enrollment: Enrollment = {
    ...enrollmentRecord.create({}, now),
    ...how,
    automation_id: id,
    version: version ?? 0,
    group_name: group?.name ?? null,
    begins_at: begins,
    step_key: beginning(definition).at,
    due_at: begins ?? now.toISOString(),
  }
  if (!(await insertEnrollment(tx, enrollment)))
    throw new Error('An enrollment was added without the lock of the contact.')
  appendToInbox(tx, { contact_id: how.contact_id })
  return { enrollment }
}

const hourMs = 3_600_000

/** When an enrollment by a trigger may begin: an hour after the one `max_per_hour` places before it. Null without a limit. */
async function turnOf(tx: Tx, id: string, { max_per_hour: most }: Definition): Promise<string | null> {
  if (most === undefined) return null
  const now = tx.clock.now()
  const before = await findBeginning(tx, id, most - 1)
  if (before === undefined) return now.toISOString()
  return new Date(Math.max(now.getTime(), later(new Date(before), hourMs).getTime())).toISOString()
}
