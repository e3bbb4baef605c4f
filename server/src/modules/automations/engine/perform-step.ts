import { later } from '#kernel/clock.ts'
import { holds, prepareFor } from '#kernel/conditions/condition.ts'
import { momentAt, nextOpening, weekdays } from '#kernel/conditions/hours.ts'
import type { Ctx } from '#kernel/context.ts'
import { AppError, found } from '#kernel/errors.ts'
import { createTask } from '../../calendar/public.ts'
import { type Contact, changeContact, pauseAi } from '../../contacts/public.ts'
import { queueMail } from '../../mail/public.ts'
import { planMessage, sendMessage } from '../../messages/public.ts'
import { addNote } from '../../timeline/public.ts'
import { findMember } from '../../workspaces/public.ts'
import { letter } from '../append.ts'
import type { Automation } from '../automation.ts'
import { endEnrollment } from '../change-enrollment.ts'
import type { StepReply } from '../definition/advance.ts'
import { type EnrollmentFacts, conditionFields } from '../definition/condition-fields.ts'
import {
  type ActionStep,
  type BranchStep,
  type Definition,
  type SendStep,
  spanMs,
} from '../definition/definition.ts'
import { fillText } from '../definition/placeholders.ts'
import { stepOf } from '../definition/tree.ts'
import { findActive, listSteps } from '../enrollment-queries.ts'
import type { Enrollment, StepRecord } from '../enrollment.ts'
import type { MoveScene } from './move-contact.ts'

export interface StepResult extends Pick<StepRecord, 'outcome' | 'reason' | 'refs'> {
  reply: StepReply
}

interface Asked<S> {
  step: S
  enrollment: Enrollment
  automation: Automation
  definition: Definition
  facts: EnrollmentFacts
  chain: readonly string[]
}

/** A send that is further behind its time is left out, so that no flood follows a pause or an outage. */
const lateMs = 24 * 3_600_000
/** A message that may not be sent for so long is blocked. */
const patienceMs = 7 * lateMs

const result = (
  outcome: StepResult['outcome'],
  reason: string | null = null,
  refs: StepResult['refs'] = {},
): StepResult => ({ reply: { kind: 'done' }, outcome, reason, refs })

/** Takes a step, in the transaction of the scene. What the owning module rejects is a failed step, and the next one follows. */
export async function performStep(
  scene: MoveScene,
  asked: Asked<SendStep | BranchStep | ActionStep>,
): Promise<StepResult> {
  const { step } = asked
  if (step.type === 'branch') return branch(scene, { ...asked, step })
  if (step.type === 'send') return send(scene, { ...asked, step })
  try {
    return await act(scene, { ...asked, step })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return result('failed', error.code)
  }
}

function branch({ now, timezone }: MoveScene, { step, facts }: Asked<BranchStep>): StepResult {
  const moment = momentAt(now, timezone)
  const index = step.branches.findIndex(({ conditions }) =>
    holds(prepareFor(conditionFields, conditions), facts, moment),
  )
  const steps = index === -1 ? step.else : step.branches[index]?.steps
  const reason = index === -1 ? 'else' : `branch ${index + 1}`
  return { ...result('done', reason), reply: { kind: 'branch', steps: steps?.[0]?.key ?? null } }
}

async function act(
  { ctx, tx, now }: MoveScene,
  { step, facts: { contact }, enrollment, automation, chain }: Asked<ActionStep>,
): Promise<StepResult> {
  switch (step.type) {
    case 'tag':
      await changeContact(tx, contact, { tags: [...contact.tags, step.tag] })
      return result('done')
    case 'untag':
      await changeContact(tx, contact, { tags: contact.tags.filter((tag) => tag !== step.tag) })
      return result('done')
    case 'stage':
      await changeContact(tx, contact, { stage: step.stage as Contact['stage'] })
      return result('done')
    case 'owner': {
      const member = await findMember(tx, step.member_id)
      if (member?.active !== true) return result('failed', 'member_inactive')
      await changeContact(tx, contact, { owner_id: step.member_id })
      return result('done')
    }
    case 'note': {
      const note = await addNote(ctx, contact.id, step.body)
      return result('done', null, { event_id: note.id })
    }
    case 'pause_ai':
      await pauseAi(tx, contact.id, 'automation')
      return result('done')
    case 'notify_member': {
      const memberId = step.member_id ?? contact.owner_id
      const member = memberId === null ? undefined : await findMember(tx, memberId)
      if (member?.active !== true) return result('skipped', 'member_inactive')
      // The mail names the contact by its ID alone: it leaves the reach of an erasure.
      const text = `${step.message}\n\nContact: ${contact.id}`
      queueMail(tx, tx, { to: member.email, subject: automation.name.replaceAll(/\s+/g, ' '), text })
      return result('done')
    }
    case 'task': {
      const { title, description, task_type, priority, due_in, assignee_id } = step
      const { task } = await createTask(ctx, {
        title,
        contact_id: contact.id,
        ...(description === undefined ? {} : { description }),
        ...(task_type === undefined ? {} : { type: task_type as 'call' }),
        ...(priority === undefined ? {} : { priority: priority as 'low' }),
        ...(due_in === undefined ? {} : { due_at: later(now, spanMs(due_in)).toISOString() }),
        ...(assignee_id === undefined ? {} : { assignee_id }),
      })
      return result('done', null, { task_id: task.id })
    }
    case 'enroll':
      // In a transaction of its own, which holds that automation before any enrollment.
      letter(tx, { contact_id: contact.id, automation_id: step.automation_id, chain })
      return result('done')
    case 'stop': {
      const other = await findActive(tx, step.automation_id, contact.id)
      if (other === undefined || other.id === enrollment.id) return result('skipped', 'not_enrolled')
      await endEnrollment(tx, other, 'exited', 'stopped')
      return result('done', null, { enrollment_id: other.id })
    }
  }
}

async function send(scene: MoveScene, asked: Asked<SendStep>): Promise<StepResult> {
  const { step, enrollment, definition, facts } = asked
  const { ctx, now, timezone } = scene
  const { contact } = facts
  const due = Date.parse(enrollment.due_at ?? now.toISOString())
  if (now.getTime() - due > lateMs) return result('skipped', 'late')
  const opening = windowOpening(definition, contact, timezone, now)
  if (opening > now) return wait(step, now, opening)
  const to = step.channel === 'email' ? contact.email : contact.phone
  if (to === null) return blocked(step, step.channel === 'email' ? 'email_missing' : 'phone_missing')
  const draft = await draftOf(scene, { ...asked, to })
  try {
    const plan = await planMessage(ctx, draft, { source: 'automation' })
    const { verdict } = plan
    if (!verdict.allowed && verdict.retryAt !== null) return wait(step, now, new Date(verdict.retryAt))
    if (!verdict.allowed && (await wasBlocked(scene, asked, verdict.reason)))
      return blocked(step, verdict.reason)
    const message = await sendMessage(ctx, draft, plan)
    return result('done', null, { message_id: message.id })
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return blocked(step, error.body.reason ?? error.code, error.body.more)
  }
}

/** A message that a gate forbids is recorded once for an enrollment, a channel and a reason; the history has every attempt. */
const wasBlocked = async (
  { tx }: MoveScene,
  { enrollment, definition, step: { channel } }: Asked<SendStep>,
  reason: string,
): Promise<boolean> =>
  (await listSteps(tx, enrollment.id)).some((earlier) => {
    const step = stepOf(definition, earlier.step_key)
    return (
      earlier.outcome === 'blocked' &&
      earlier.reason === reason &&
      step?.type === 'send' &&
      step.channel === channel
    )
  })

function blocked({ on_blocked = 'skip' }: SendStep, reason: string, more?: object): StepResult {
  const id = (more as { message_id?: string } | undefined)?.message_id
  const recorded = result('blocked', reason, id === undefined ? {} : { message_id: id })
  return on_blocked === 'exit' ? { ...recorded, reply: { kind: 'end', reason: 'blocked' } } : recorded
}

/** Tries it again then, unless that is too far off. */
function wait(step: SendStep, now: Date, at: Date): StepResult {
  if (at.getTime() - now.getTime() > patienceMs) return blocked(step, 'too_late')
  return { ...result('done'), reply: { kind: 'retry', at: at.getTime() } }
}

/** When the send window opens, which can be now. */
export function windowOpening(
  { send_window }: Definition,
  contact: Contact,
  timezone: string,
  now: Date,
): Date {
  if (send_window === undefined) return now
  const { days = weekdays, from, to, zone = 'contact' } = send_window
  const own = zone === 'contact' ? (contact.timezone ?? timezone) : timezone
  return nextOpening({ days: [...days], from, to, timezone: own }, now)
}

async function draftOf(
  { tx, workspaceName }: MoveScene,
  { step, facts: { contact }, to }: Asked<SendStep> & { to: string },
) {
  const owner = contact.owner_id === null ? undefined : await findMember(tx, contact.owner_id)
  const words = {
    'contact.first_name': contact.first_name,
    'contact.last_name': contact.last_name,
    'owner.name': owner?.active === true ? owner.name : null,
    'workspace.name': workspaceName,
  }
  const common = { to, contact_id: contact.id, body: fillText(step.body, words) }
  if (step.channel === 'sms') return { channel: 'sms' as const, ...common }
  const subject = fillText(found(step.subject), words).replaceAll(/\s+/g, ' ')
  return { channel: 'email' as const, subject, ...common }
}

/** A context for use cases of other modules, all in the transaction of a move. */
export function contextIn(base: Ctx, tx: MoveScene['tx']): Ctx {
  const ctx: Ctx = {
    ...base,
    actor: tx.actor,
    db: tx,
    lookups: () => tx,
    transaction: (work) => work(tx),
    unrestricted: () => ctx,
  }
  return ctx
}
