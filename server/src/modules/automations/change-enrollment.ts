import type { Ctx, Tx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { lockContact } from '../contacts/public.ts'
import { cancelUnsent } from '../messages/public.ts'
import { letter } from './append.ts'
import { eraseEntries } from './entries/queries.ts'
import {
  findEnrollment,
  listSteps,
  lockAllOf,
  lockAwaitingMessages,
  lockEnrollment,
  lockSome,
  pauseAll,
  saveEnrollment,
  settleStep,
} from './enrollment-queries.ts'
import { type Enrollment, isActive } from './enrollment.ts'
import { EnrollmentEnded } from './errors.ts'
import { EnrollmentStatusChanged } from './events.ts'

/** Pauses an enrollment, lets it go on, or cancels it for good with what of it waits to be sent. 409 `enrollment_ended`. */
export const changeEnrollment = (
  ctx: Ctx,
  id: string,
  status: 'paused' | 'running' | 'cancelled',
): Promise<Enrollment> =>
  ctx.transaction(async (tx) => {
    const { contact_id } = found(await findEnrollment(tx, id))
    await lockContact(tx.unrestricted(), contact_id)
    const before = requireMatch(ctx, found(await lockEnrollment(tx, id)))
    if (before.status === status || (status === 'running' && before.status === 'queued')) return before
    if (!isActive(before)) throw EnrollmentEnded(before.status)
    if (status === 'cancelled') return endEnrollment(tx, before, 'cancelled', null)
    const now = tx.clock.now()
    const changed =
      status === 'paused' ? { ...pausedAt(now), ...(await withdraw(tx, before)) } : resumed(before, now)
    return change(tx, before, { ...changed, reason: null })
  })

const pausedAt = (now: Date) => ({ status: 'paused' as const, paused_at: now.toISOString() })

/** Spans stand still during a pause. What else is waited for is looked at again at once. */
function resumed(
  { paused_at, waiting_for: waiting, started_at }: Enrollment,
  now: Date,
): Partial<Enrollment> {
  const late = Math.max(0, now.getTime() - Date.parse(paused_at ?? now.toISOString()))
  const isSpan = waiting?.kind === 'wait' || waiting?.kind === 'event'
  const until = isSpan && waiting.until !== null ? Date.parse(waiting.until) + late : now.getTime()
  return {
    status: started_at === null ? 'queued' : 'running',
    reason: null,
    paused_at: null,
    due_at: (waiting?.kind === 'wait' ? new Date(until) : now).toISOString(),
    ...(isSpan && { waiting_for: { ...waiting, until: new Date(until).toISOString() } }),
  }
}

/** Cancels the message of an enrollment that is being paused, unless it has begun. It is judged again afterwards. */
async function withdraw(
  tx: Tx,
  { id, seq, waiting_for: waiting }: Enrollment,
): Promise<Pick<Enrollment, 'waiting_for'> | undefined> {
  const messageId = waiting?.kind === 'message' ? waiting.refs?.['message_id'] : undefined
  if (messageId === undefined || (await cancelUnsent(tx.unrestricted(), [messageId])).length === 0)
    return undefined
  settleStep(tx.unrestricted(), id, seq - 1, { outcome: 'deferred', reason: 'paused' })
  const now = tx.clock.now().toISOString()
  return { waiting_for: { kind: 'hours', until: now, since: now, reason: 'paused' } }
}

async function change(tx: Tx, before: Enrollment, changed: Partial<Enrollment>): Promise<Enrollment> {
  const written = { ...changed, updated_at: timeAfter(before.updated_at, tx.clock.now()) }
  saveEnrollment(tx, before.id, written)
  if (changed.due_at !== undefined && changed.due_at !== null) letter(tx, { contact_id: before.contact_id })
  const after = { ...before, ...written }
  await tx.emit(EnrollmentStatusChanged, after)
  return after
}

/** Ends an enrollment, and cancels what of it waits to be sent. The caller holds contact and enrollment. */
export async function endEnrollment(
  tx: Tx,
  before: Enrollment,
  status: 'completed' | 'exited' | 'failed' | 'cancelled',
  reason: string | null,
): Promise<Enrollment> {
  if (status !== 'completed') {
    const steps = await listSteps(tx, before.id)
    const messages = steps.flatMap(({ refs }) => refs['message_id'] ?? [])
    const cancelled = messages.length === 0 ? [] : await cancelUnsent(tx.unrestricted(), messages)
    for (const { seq, refs } of steps)
      if (cancelled.includes(refs['message_id'] ?? ''))
        settleStep(tx.unrestricted(), before.id, seq, { outcome: 'skipped', reason: 'cancelled' })
  }
  const ended_at = tx.clock.now().toISOString()
  return change(tx, before, {
    status,
    reason,
    ended_at,
    due_at: null,
    paused_at: null,
    waiting_for: null,
    step_key: null,
  })
}

const disabled = 'automation_disabled'

/** Pauses all that move in an automation that is being disabled. */
export async function pauseEnrollmentsOf(limited: Tx, automationId: string): Promise<void> {
  const tx = limited.unrestricted()
  for (const enrollment of await lockAwaitingMessages(tx, automationId)) {
    const changed = await withdraw(tx, enrollment)
    if (changed !== undefined) saveEnrollment(tx, enrollment.id, changed)
  }
  pauseAll(tx, automationId, disabled, tx.clock.now())
}

/** Lets those go on that were paused when the automation was disabled. */
export const resumeEnrollmentsOf = (tx: Tx, automationId: string): Promise<void> =>
  forEach(tx, automationId, ['paused'], async (enrollment) => {
    if (enrollment.reason === disabled) await change(tx, enrollment, resumed(enrollment, tx.clock.now()))
  })

export const cancelEnrollmentsOf = (tx: Tx, automationId: string): Promise<void> =>
  forEach(tx, automationId, ['queued', 'running', 'paused'], async (enrollment) => {
    await endEnrollment(tx, enrollment, 'cancelled', disabled)
  })

async function forEach(
  limited: Tx,
  automationId: string,
  statuses: readonly Enrollment['status'][],
  act: (enrollment: Enrollment) => Promise<void>,
): Promise<void> {
  const tx = limited.unrestricted()
  for (const status of statuses) {
    for (let after = '', more = true; more;) {
      const some = await lockSome(tx, automationId, status, after)
      for (const enrollment of some) await act(enrollment)
      after = some.at(-1)?.id ?? ''
      more = some.length > 0
    }
  }
}

/** Ends and empties the enrollments of an erased contact, whose lock the caller holds. */
export async function eraseEnrollments(tx: Tx, contactId: string): Promise<void> {
  const all = await lockAllOf(tx, contactId)
  for (const enrollment of all) {
    const ended = isActive(enrollment) ? await endEnrollment(tx, enrollment, 'exited', 'erased') : enrollment
    if (ended.context !== null) saveEnrollment(tx, ended.id, { context: null })
  }
  eraseEntries(tx, contactId)
  if (all.length > 0)
    await scrubReplies(
      tx,
      all.map(({ id }) => id),
    )
}
