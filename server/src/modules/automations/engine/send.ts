import { later } from '#kernel/clock.ts'
import { nextOpening, weekdays } from '#kernel/conditions/hours.ts'
import { AppError, found } from '#kernel/errors.ts'
import { reminderText } from '../../calendar/public.ts'
import type { Contact } from '../../contacts/public.ts'
import { type Message, type OwnPart, findMessage, planMessage, sendMessage } from '../../messages/public.ts'
import { findMember } from '../../workspaces/public.ts'
import type { Definition, ReminderStep, SendStep } from '../definition/definition.ts'
import { fillText } from '../definition/placeholders.ts'
import { draftOfSend } from '../definition/send-draft.ts'
import { stepOf } from '../definition/tree.ts'
import { listSteps, settleStep } from '../enrollment-queries.ts'
import { findAppointmentOf } from './load-facts.ts'
import {
  type AskedStep,
  type JudgeScene,
  type MoveScene,
  type StepResult,
  proceed,
  result,
  waitFor,
} from './scene.ts'

export type MessageStep = SendStep | ReminderStep

/** A send that is further behind its time is left out, so that no flood follows a pause or an outage. */
const lateMs = 24 * 3_600_000
/** A message that may not be sent for so long is blocked. */
export const patienceMs = 7 * lateMs
/** A message of which nothing is heard for so long counts as sent. */
const silentMs = 2 * 3_600_000
/** So often a message is tried that was allowed, and blocked when it should begin. */
const mostAttempts = 3

/**
 * Has a message accepted through the gates, which judge it in the transaction of the step, and waits for what becomes of it. One that
 * is blocked when it should begin is judged again. What may go later waits here, where exits hold, and not among the messages.
 */
export async function performSend(scene: MoveScene, asked: AskedStep<MessageStep>): Promise<StepResult> {
  const { waiting_for: waiting } = asked.enrollment
  if (waiting?.kind !== 'message') return judgeSend(scene, asked)
  const { tx, now } = scene
  const { step, enrollment } = asked
  const fate = fateOf(await findMessage(tx, waiting.refs?.['message_id'] ?? ''))
  if (fate === 'pending' && now.getTime() < Date.parse(found(waiting.until)))
    return waitFor({ ...waiting, until: found(waiting.until) })
  if (fate === 'pending' || fate === 'sent') return proceed
  settleStep(tx, enrollment.id, enrollment.seq - 1, fate)
  if (fate.outcome !== 'blocked') return proceed
  const attempts = (await listSteps(tx, enrollment.id)).filter(
    ({ step_key, outcome, refs }) =>
      step_key === step.key && outcome !== 'deferred' && refs['message_id'] !== undefined,
  )
  const again = attempts.length < mostAttempts ? await judgeSend(scene, asked) : blocked(step, fate.reason)
  return again.fact?.outcome === 'blocked' && again.fact.reason === fate.reason
    ? { ...again, fact: null }
    : again
}

type Fate = 'pending' | 'sent' | { outcome: 'blocked' | 'failed' | 'skipped'; reason: string }

/** What has become of a message. Of one whose outcome stays unknown it is taken that it left. */
function fateOf(message: Message | undefined): Fate {
  switch (message?.status) {
    case 'scheduled':
    case 'queued':
    case 'sending':
    case 'pending_approval':
      return 'pending'
    case 'blocked':
      return { outcome: 'blocked', reason: message.compliance?.reason ?? 'blocked' }
    case 'failed':
    case 'undelivered':
      return { outcome: 'failed', reason: message.error?.code ?? message.status }
    case 'cancelled':
      return { outcome: 'skipped', reason: 'cancelled' }
    default:
      return 'sent'
  }
}

async function judgeSend(scene: MoveScene, asked: AskedStep<MessageStep>): Promise<StepResult> {
  const { step, enrollment } = asked
  const { ctx, now } = scene
  const due = Date.parse(enrollment.due_at ?? now.toISOString())
  if (now.getTime() - due > lateMs) return result('skipped', 'late')
  const planned = await planSend(scene, asked, ownPartOf(asked))
  if (planned.kind === 'later') return defer(scene, asked, planned.reason, planned.at)
  if (planned.kind === 'blocked') return blocked(step, planned.reason)
  if (planned.kind === 'skipped') return result('skipped', planned.reason)
  const { draft, plan } = planned
  const { verdict } = plan
  if (!verdict.allowed && (await wasBlocked(scene, asked, verdict.reason)))
    return blocked(step, verdict.reason)
  try {
    const { id } = await sendMessage(ctx, draft, plan)
    const refs = { message_id: id }
    const until = later(now, silentMs).toISOString()
    return waitFor(
      { kind: 'message', until, since: now.toISOString(), refs },
      { outcome: 'done', reason: null, refs },
    )
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return blocked(step, error.body.reason ?? error.code, error.body.more)
  }
}

/** As whose message the gates judge it, and to what it belongs. */
const ownPartOf = ({ automation: { id, kind }, step }: AskedStep<MessageStep>): OwnPart =>
  kind === 'campaign' && step.type === 'send'
    ? { source: 'campaign', campaignId: id, personaId: step.persona_id ?? null }
    : { source: 'automation' }

type Draft = NonNullable<Awaited<ReturnType<typeof draftOf>>>
type PlannedSend =
  | { kind: 'later'; reason: string; at: Date; draft?: Draft }
  | { kind: 'blocked'; reason: string }
  | { kind: 'skipped'; reason: string }
  | { kind: 'planned'; draft: Draft; plan: Awaited<ReturnType<typeof planMessage>> }

/** Renders and judges a message as of now, and writes nothing. */
export async function planSend(
  scene: JudgeScene,
  { step, definition, facts }: Pick<AskedStep<MessageStep>, 'step' | 'definition' | 'facts'>,
  own: OwnPart,
): Promise<PlannedSend> {
  const { ctx, now, timezone } = scene
  const { contact } = facts
  const openingAt = (at: Date) => windowOpening(definition, contact, timezone, at)
  if (openingAt(now) > now) return { kind: 'later', reason: 'send_window', at: openingAt(now) }
  const to = step.channel === 'email' ? contact.email : contact.phone
  if (to === null)
    return { kind: 'blocked', reason: step.channel === 'email' ? 'email_missing' : 'phone_missing' }
  const draft = await draftOf(scene, { step, facts, to })
  if (draft === undefined) return { kind: 'skipped', reason: 'no_appointment' }
  try {
    const messageClass = step.type === 'send' ? 'marketing' : 'transactional'
    const plan = await planMessage(ctx, draft, { ...own, messageClass })
    const { verdict } = plan
    if (verdict.allowed || verdict.retryAt === null) return { kind: 'planned', draft, plan }
    return { kind: 'later', reason: verdict.reason, at: openingAt(new Date(verdict.retryAt)), draft }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { kind: 'blocked', reason: error.body.reason ?? error.code }
  }
}

/** A message that a gate forbids is recorded once for an enrollment, a channel and a reason; the history has every attempt. */
const wasBlocked = async (
  { tx }: MoveScene,
  { enrollment, definition, step: { type, channel } }: AskedStep<MessageStep>,
  reason: string,
): Promise<boolean> =>
  (await listSteps(tx, enrollment.id)).some((earlier) => {
    const step = stepOf(definition, earlier.step_key)
    return (
      earlier.outcome === 'blocked' &&
      earlier.reason === reason &&
      step?.type === type &&
      'channel' in step &&
      step.channel === channel
    )
  })

function blocked({ on_blocked = 'skip' }: MessageStep, reason: string, more?: object): StepResult {
  const id = (more as { message_id?: string } | undefined)?.message_id
  const recorded = result('blocked', reason, id === undefined ? {} : { message_id: id })
  return on_blocked === 'exit' ? { ...recorded, reply: { kind: 'end', reason: 'blocked' } } : recorded
}

/** Waits until it may go, unless that takes too long. The history has each reason once. */
async function defer(
  { tx, now }: MoveScene,
  { step, enrollment }: AskedStep<MessageStep>,
  reason: string,
  at: Date,
): Promise<StepResult> {
  const { waiting_for: waiting } = enrollment
  const since = (waiting?.kind === 'hours' ? waiting.since : undefined) ?? now.toISOString()
  if (at.getTime() - Date.parse(since) > patienceMs) return blocked(step, 'too_late')
  const isKnown = (await listSteps(tx, enrollment.id)).some(
    (earlier) =>
      earlier.step_key === step.key &&
      earlier.outcome === 'deferred' &&
      earlier.reason === reason &&
      earlier.at >= since,
  )
  const fact = isKnown ? null : { outcome: 'deferred' as const, reason, refs: {} }
  return waitFor({ kind: 'hours', until: at.toISOString(), since, reason }, fact)
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
  scene: JudgeScene,
  { step, facts, to }: Pick<AskedStep<MessageStep>, 'step' | 'facts'> & { to: string },
) {
  if (step.type === 'appointment_reminder') return reminderOf(scene, { step, facts, to })
  const { tx, workspaceName } = scene
  const { contact } = facts
  const owner = contact.owner_id === null ? undefined : await findMember(tx, contact.owner_id)
  const words = {
    'contact.first_name': contact.first_name,
    'contact.last_name': contact.last_name,
    'owner.name': owner?.active === true ? owner.name : null,
    'workspace.name': workspaceName,
  }
  return { ...draftOfSend(step, to, (text) => fillText(text, words)), contact_id: contact.id }
}

/** Undefined if there is no appointment to come. */
async function reminderOf(
  { ctx, tx, now, timezone, workspaceName }: JudgeScene,
  { step, facts, to }: Pick<AskedStep<ReminderStep>, 'step' | 'facts'> & { to: string },
) {
  const appointment = await findAppointmentOf({ db: tx, keys: ctx.keys }, facts, now)
  if (appointment?.status !== 'scheduled' || Date.parse(appointment.starts_at) <= now.getTime())
    return undefined
  const { subject, body } = reminderText(appointment, workspaceName, timezone)
  const common = { to, contact_id: facts.contact.id, body }
  return step.channel === 'sms'
    ? { channel: 'sms' as const, ...common }
    : { channel: 'email' as const, ...common, subject }
}
