import { later } from '#kernel/clock.ts'
import { AppError, orNotFound } from '#kernel/errors.ts'
import { type Written, recordWritten, suggestWritten } from '../../ai/public.ts'
import { stepOf } from '../../automations/public.ts'
import { type Message, approvalMs, cancelUnsent, findMessage, sendMessage } from '../../messages/public.ts'
import type { Persona } from '../../personas/public.ts'
import type { Enrollment, WaitingFor } from '../enrollment.ts'
import { messageOutcome } from '../message-outcome.ts'
import { settleStep } from '../queries.ts'
import { askPersona, askToWrite } from './ai-message.ts'
import { isLate, judgeSend, lateSend } from './judge-send.ts'
import { type MessageStep, type PlannedMessage, blocked } from './plan-send.ts'
import { type AskedStep, type MoveScene, type StepResult, proceed, result, waitFor } from './scene.ts'

/** A message that has begun to be sent, and whose outcome is unknown for this long, counts as sent. */
const silentMs = 2 * 3_600_000
/** How many times to try a message that is allowed at first and then blocked when sending begins. */
const mostAttempts = 3

/**
 * Queues a message through the gates, which judge it in the transaction of the step, and waits for its outcome. If the message is blocked
 * when sending begins, it is judged again. A message that has to wait stays here, where exits apply, instead of among the messages.
 */
export async function performSend(scene: MoveScene, asked: AskedStep<MessageStep>): Promise<StepResult> {
  const { waiting_for: waiting } = asked.enrollment
  if (waiting?.kind !== 'message') return judgeAndAccept(scene, asked)
  const { tx, now } = scene
  const { step, enrollment, automation } = asked
  const message = await findMessage(tx, waiting.refs?.['message_id'] ?? '')
  const state = messageOutcome(message)
  if (state === 'pending' && now.getTime() < Date.parse(orNotFound(waiting.until)))
    return waitFor({ ...waiting, until: orNotFound(waiting.until) })
  if (message !== undefined && automation.kind !== 'campaign' && isUnbegun(message))
    return waitOrDrop(scene, enrollment, { ...waiting, messageId: message.id })
  if (state === 'pending' || state === 'sent') return proceed
  settleStep(tx, enrollment.id, enrollment.seq - 1, state)
  if (state.outcome !== 'blocked') return proceed
  const attempts = (await asked.history()).filter(
    ({ step_key, outcome, refs }) =>
      step_key === step.key && outcome !== 'deferred' && refs['message_id'] !== undefined,
  )
  const again =
    attempts.length < mostAttempts ? await judgeAndAccept(scene, asked) : blocked(step, state.reason)
  return again.fact?.outcome === 'blocked' && again.fact.reason === state.reason
    ? { ...again, fact: null }
    : again
}

/** Whether a message that no one has approved still waits to be sent, for example because its provider is down. */
const isUnbegun = ({ status, approved_by }: Message): boolean =>
  approved_by === null && (status === 'queued' || status === 'scheduled')

/**
 * Waits for a message that has not begun to be sent, so that an exit or a pause can still cancel it. Once it is late, cancels it. The
 * messages of a campaign are on hold while it is paused, and wait as long as it takes.
 */
async function waitOrDrop(
  { tx, now }: MoveScene,
  { id, seq }: Enrollment,
  { messageId, ...waiting }: WaitingFor & { messageId: string },
): Promise<StepResult> {
  if (!isLate(orNotFound(waiting.since), now))
    return waitFor({ ...waiting, until: later(now, silentMs).toISOString() })
  if ((await cancelUnsent(tx, [messageId])).length > 0)
    settleStep(tx, id, seq - 1, { outcome: 'skipped', reason: 'late' })
  return proceed
}

async function judgeAndAccept(scene: MoveScene, asked: AskedStep<MessageStep>): Promise<StepResult> {
  const { step } = asked
  const late = lateSend(scene, asked)
  if (late !== undefined) return late
  const ai = step.type === 'ai_message' ? await askPersona(scene, { ...asked, step }) : undefined
  if (ai !== undefined && 'reply' in ai) return ai
  const { planned, result: decided } = await judgeSend(scene, asked, ai)
  if (planned.kind !== 'planned') return orNotFound(decided)
  const { verdict } = planned.plan
  if (step.type === 'ai_message' && ai?.written === undefined)
    return verdict.allowed ? askToWrite(scene, { ...asked, step }) : blocked(step, verdict.reason)
  if (!verdict.allowed && (await wasBlocked(asked, verdict.reason))) return blocked(step, verdict.reason)
  if (verdict.allowed && ai?.persona.mode === 'suggest' && ai.written !== undefined)
    return suggest(scene, ai.written, ai.persona)
  return accept(scene, asked, planned, ai?.written)
}

/** Queues the message, and waits for its outcome. */
async function accept(
  { ctx, tx, now }: MoveScene,
  { step }: AskedStep<MessageStep>,
  { draft, plan }: Extract<PlannedMessage, { kind: 'planned' }>,
  written: Written | undefined,
): Promise<StepResult> {
  const awaitsApproval = plan.own.awaitsApproval === true
  try {
    const { id } = await sendMessage(ctx, draft, plan)
    if (written !== undefined) recordWritten(tx, written, awaitsApproval ? 'pending' : 'queued', id)
    const refs = { message_id: id }
    const until = later(now, silentMs + (awaitsApproval ? approvalMs : 0)).toISOString()
    return waitFor(
      { kind: 'message', until, since: now.toISOString(), refs },
      { outcome: 'done', reason: null, refs },
    )
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const forbidden = blocked(step, error.body.reason ?? error.code, error.body.more)
    if (written !== undefined) recordWritten(tx, written, 'blocked', forbidden.fact?.refs['message_id'])
    return forbidden
  }
}

const suggest = ({ tx }: MoveScene, written: Written, persona: Persona): StepResult =>
  suggestWritten(tx, written, persona)
    ? result('done', 'suggested', { generation_id: written.generationId })
    : result('skipped', 'no_conversation', { generation_id: written.generationId })

/**
 * Whether such a message was blocked before for this reason. A blocked message is recorded once per enrollment, channel, and reason; the
 * history has every attempt.
 */
const wasBlocked = async (
  { definition, history, step: { type, channel } }: AskedStep<MessageStep>,
  reason: string,
): Promise<boolean> =>
  (await history()).some((earlier) => {
    const step = stepOf(definition, earlier.step_key)
    return (
      earlier.outcome === 'blocked' &&
      earlier.reason === reason &&
      step?.type === type &&
      'channel' in step &&
      step.channel === channel
    )
  })
