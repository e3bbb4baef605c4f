import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { type Automation, findAutomation, lockAutomationOfAny } from '../automations/public.ts'
import { lockContact } from '../contacts/public.ts'
import { cancelUnsent, findMessage } from '../messages/public.ts'
import { type Enrollment, type endings, isActive, pausedByDisabling, pausedByRun } from './enrollment.ts'
import { eraseEntries } from './entries/queries.ts'
import { EnrollmentEnded, EnrollmentRunPaused, EnrollmentStopped } from './errors.ts'
import { AutomationEnded, EnrollmentStatusChanged } from './events.ts'
import { appendToInbox } from './inbox/append.ts'
import { messageOutcome } from './message-outcome.ts'
import {
  findEnrollment,
  listSteps,
  lockAllOf,
  lockEnrollment,
  saveEnrollment,
  settleStep,
} from './queries.ts'
import { type ResumptionPace, paceOf, resumedAt } from './resumption.ts'
import { findRunStatus } from './run-queries.ts'

/**
 * Pauses or resumes an enrollment, or cancels it permanently along with its unsent messages. Throws 409 `enrollment_ended`,
 * `automation_disabled` if the disabled automation does not allow the new status, and `campaign_paused`.
 */
export const changeEnrollment = (
  ctx: Ctx,
  id: string,
  status: 'paused' | 'running' | 'cancelled',
): Promise<Enrollment> =>
  ctx.transaction(async (tx) => {
    const { contact_id, automation_id } = orNotFound(await findEnrollment(tx, id))
    await lockContact(tx.unrestricted(), contact_id)
    // Resuming takes a turn from the automation's pace, so it locks the automation. Lock order: automation before enrollment.
    const holds = status === 'running' ? lockAutomationOfAny : findAutomation
    const automation = orNotFound(await holds(tx, automation_id))
    const before = requireMatch(ctx, orNotFound(await lockEnrollment(tx, id)))
    if (status === 'running' && (before.status === 'queued' || before.status === 'running')) return before
    if (before.status === status && !withOthers.has(before.reason ?? '')) return before
    if (!isActive(before)) throw EnrollmentEnded(before.status)
    if (status === 'cancelled') return endEnrollment(tx, before, 'cancelled', null)
    if (!letsGoOn(automation, status)) throw EnrollmentStopped()
    if (status === 'running' && (await isRunPaused(tx, before))) throw EnrollmentRunPaused()
    if (before.status === status) return change(tx, before, { reason: null })
    if (status === 'paused') return pauseEnrollment(tx, before, null)
    const pace = paceOf(tx, automation)
    const resumed = await resumeEnrollment(tx, before, pace)
    pace.save()
    appendToInbox(tx, { contact_id })
    return resumed
  })

/**
 * Pauses an enrollment with its automation, or with its campaign, whose messages are already on hold. The caller holds the locks of the
 * contact and the enrollment.
 */
export const pauseWithOthers = (tx: Tx, before: Enrollment): Promise<Enrollment> =>
  before.source === 'campaign'
    ? change(tx, before, {
        status: 'paused',
        reason: pausedByRun,
        paused_at: tx.clock.now().toISOString(),
      })
    : pauseEnrollment(tx, before, pausedByDisabling)

/** Resumes an enrollment with its automation or campaign. Same locks as `resumeEnrollment`. */
export const resumeWithOthers = (tx: Tx, before: Enrollment, pace: ResumptionPace): Promise<Enrollment> =>
  before.source === 'campaign' ? resumeWithRun(tx, before, pace) : resumeEnrollment(tx, before, pace)

/** An enrollment whose message has been accepted resumes at once, to wait for the outcome; the others take turns. */
function resumeWithRun(tx: Tx, before: Enrollment, pace: ResumptionPace): Promise<Enrollment> {
  const { paused_at, waiting_for: waiting } = before
  const now = tx.clock.now()
  const pausedMs = Math.max(0, now.getTime() - Date.parse(paused_at ?? now.toISOString()))
  const shifted = (time: string) => later(new Date(time), pausedMs).toISOString()
  const isSending = waiting?.kind === 'message'
  return change(tx, before, {
    ...resumed(before),
    due_at: (isSending ? now : pace.take(now)).toISOString(),
    planned_at: null,
    waiting_for: waiting && {
      ...waiting,
      ...(waiting.since !== undefined && { since: shifted(waiting.since) }),
      ...(isSending && waiting.until !== null && { until: shifted(waiting.until) }),
    },
  })
}

const resumed = ({ started_at }: Enrollment): Partial<Enrollment> => ({
  status: started_at === null ? 'queued' : 'running',
  reason: null,
  paused_at: null,
})

/**
 * Pause reasons of enrollments that resume with their automation or campaign. Pausing such an enrollment individually clears the reason.
 */
const withOthers = new Set([pausedByDisabling, pausedByRun])

const isRunPaused = async (tx: Tx, { source, automation_id }: Enrollment): Promise<boolean> =>
  source === 'campaign' && (await findRunStatus(tx, automation_id)) === 'paused'

const letsGoOn = ({ running }: Automation, status: 'paused' | 'running') =>
  running === null || running === 'finish' || (running === 'pause' && status === 'paused')

/**
 * Pauses an enrollment and its waits. Cancels its message if sending has not begun; the message is judged again after the resumption. The
 * caller holds the locks of the contact and the enrollment.
 */
async function pauseEnrollment(tx: Tx, before: Enrollment, reason: string | null): Promise<Enrollment> {
  const paused_at = tx.clock.now().toISOString()
  return change(tx, before, { status: 'paused', reason, paused_at, ...(await withdraw(tx, before)) })
}

/** Resumes a paused enrollment, at its turn if overdue. The caller holds the locks of the contact, the automation, and the enrollment. */
const resumeEnrollment = (tx: Tx, before: Enrollment, pace: ResumptionPace): Promise<Enrollment> =>
  change(tx, before, { ...resumed(before), ...resumedAt(before, pace, tx.clock.now()) })

/** Cancels the message of an enrollment that is being paused, unless sending has begun. The message is judged again later. */
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
  const after = write(tx, before, changed)
  await tx.emit(EnrollmentStatusChanged, { ...after, automation_name: await nameOf(tx, before) })
  return after
}

function write(tx: Tx, before: Enrollment, changed: Partial<Enrollment>): Enrollment {
  const written = { ...changed, updated_at: timeAfter(before.updated_at, tx.clock.now()) }
  saveEnrollment(tx, before.id, written)
  return { ...before, ...written }
}

const nameOf = async (tx: Tx, { automation_id }: Enrollment): Promise<string> =>
  orNotFound(await findAutomation(tx, automation_id)).name

/**
 * Ends an enrollment, and its run if it has started. Unless it completed, cancels its unsent messages. The caller holds the locks of the
 * contact and the enrollment.
 */
export async function endEnrollment(
  tx: Tx,
  before: Enrollment,
  status: (typeof endings)[number],
  reason: string | null,
): Promise<Enrollment> {
  if (status !== 'completed') {
    const steps = await listSteps(tx, before.id)
    const messages = steps.flatMap(({ refs }) => refs['message_id'] ?? [])
    const cancelled = messages.length === 0 ? [] : await cancelUnsent(tx.unrestricted(), messages)
    for (const { seq, refs } of steps)
      if (cancelled.includes(refs['message_id'] ?? ''))
        settleStep(tx.unrestricted(), before.id, seq, { outcome: 'skipped', reason: 'cancelled' })
    await settleAwaited(tx.unrestricted(), before, steps)
  }
  const ended_at = tx.clock.now().toISOString()
  const { id, contact_id, automation_id, seq, started_at } = before
  const ended: Partial<Enrollment> = {
    // The engine may not have saved these yet.
    seq,
    started_at,
    status,
    reason,
    ended_at,
    due_at: null,
    planned_at: null,
    paused_at: null,
    waiting_for: null,
    step_key: null,
  }
  if (started_at === null) return change(tx, before, ended)
  const run = { id: automation_id, run_id: id, contact_id, automation_name: await nameOf(tx, before) }
  await tx.emit(AutomationEnded, { ...run, status, reason })
  return write(tx, before, ended)
}

/** Records what became of the message that the enrollment waited for, as far as that is known. */
async function settleAwaited(
  tx: Tx,
  { id, waiting_for: waiting }: Enrollment,
  steps: Awaited<ReturnType<typeof listSteps>>,
): Promise<void> {
  const messageId = waiting?.kind === 'message' ? waiting.refs?.['message_id'] : undefined
  const step = steps.find(({ refs }) => messageId !== undefined && refs['message_id'] === messageId)
  if (messageId === undefined || step === undefined) return
  const outcome = messageOutcome(await findMessage(tx, messageId))
  if (typeof outcome === 'object') settleStep(tx, id, step.seq, outcome)
}

/** Cancels an enrollment with its automation or campaign. The caller holds the locks of the contact and the enrollment. */
export const cancelWithOthers = (tx: Tx, before: Enrollment): Promise<Enrollment> =>
  endEnrollment(
    tx,
    before,
    'cancelled',
    before.source === 'campaign' ? 'campaign_cancelled' : pausedByDisabling,
  )

/**
 * Pauses or cancels an enrollment as `running` of its disabled automation or the status of its run says. Returns whether the enrollment must
 * not take a step.
 */
export async function stopWithOthers(
  tx: Tx,
  { running }: Automation,
  runStatus: string | undefined,
  before: Enrollment,
): Promise<boolean> {
  const isCancelled = running === 'cancel' || runStatus === 'cancelled'
  const isPaused = running === 'pause' || runStatus === 'paused'
  if (isCancelled) await cancelWithOthers(tx, before)
  else if (isPaused && before.status !== 'paused') await pauseWithOthers(tx, before)
  return isCancelled || isPaused
}

/**
 * Pauses a contact's enrollments because of what they said in a call. Only a person or a request can resume them. An enrollment in a
 * campaign, which sends one message to many contacts, ends instead.
 */
export async function pauseAfterCall(tx: Tx, contactId: string, reason: string): Promise<void> {
  await lockContact(tx.unrestricted(), contactId)
  for (const enrollment of await lockAllOf(tx.unrestricted(), contactId))
    if (isActive(enrollment) && enrollment.source === 'campaign')
      await endEnrollment(tx, enrollment, 'exited', reason)
    else if (isActive(enrollment) && enrollment.status !== 'paused')
      await pauseEnrollment(tx, enrollment, reason)
}

/**
 * Pauses a contact's enrollments, so that only a person or a request can resume them; those in campaigns, too. Returns how many it paused.
 */
export async function pauseAllOf(tx: Tx, contactId: string, reason: string): Promise<number> {
  await lockContact(tx.unrestricted(), contactId)
  const all = (await lockAllOf(tx.unrestricted(), contactId)).filter(isActive)
  const moving = all.filter(({ status }) => status !== 'paused')
  for (const enrollment of moving) await pauseEnrollment(tx, enrollment, reason)
  for (const enrollment of all)
    if (enrollment.status === 'paused' && withOthers.has(enrollment.reason ?? ''))
      await change(tx, enrollment, { reason })
  return moving.length
}

/** Ends an erased contact's enrollments, and clears their context, entries, and stored replies. The caller holds the contact's lock. */
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
