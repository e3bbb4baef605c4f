import { AppError } from '#kernel/errors.ts'
import {
  type AiMessageStep,
  type ReminderStep,
  type SendStep,
  fillText,
  draftOfSend,
} from '../../automations/public.ts'
import { reminderText } from '../../calendar/public.ts'
import { type OwnPart, planMessage } from '../../messages/public.ts'
import { findAppointmentOf } from '../facts/load-facts.ts'
import { type AskedStep, type JudgeScene, type StepResult, result } from './scene.ts'
import { windowOpening } from './send-window.ts'
import { wordsFor } from './words-for.ts'

export type MessageStep = SendStep | ReminderStep | AiMessageStep

export const isMarketing = ({ type }: MessageStep): boolean => type !== 'appointment_reminder'

/** On whose behalf the message is sent, for the gates: the AI's, a campaign's, or the automation's. */
export function ownPartOf({
  automation: { id, kind },
  step,
}: Pick<AskedStep<MessageStep>, 'automation' | 'step'>): OwnPart {
  if (step.type === 'ai_message') return { source: 'ai', personaId: step.persona_id }
  return kind === 'campaign' && step.type === 'send'
    ? { source: 'campaign', campaignId: id, personaId: step.persona_id ?? null }
    : { source: 'automation' }
}

type Draft = NonNullable<Awaited<ReturnType<typeof draftOf>>>
export type PlannedMessage =
  | { kind: 'later'; reason: string; at: Date; draft?: Draft }
  | { kind: 'blocked'; reason: string }
  | { kind: 'skipped'; reason: string }
  | { kind: 'planned'; draft: Draft; plan: Awaited<ReturnType<typeof planMessage>> }

/** Renders and judges a message as of now. Writes nothing. `written`: the persona's text; without it, a placeholder text is judged. */
export async function planSend(
  scene: JudgeScene,
  { step, definition, facts }: Pick<AskedStep<MessageStep>, 'step' | 'definition' | 'facts'>,
  own: OwnPart,
  written?: string,
): Promise<PlannedMessage> {
  const { ctx, now, timezone, assumedTexts = 0 } = scene
  const { contact } = facts
  const openingAt = (at: Date) => windowOpening(definition, contact, timezone, at)
  if (openingAt(now) > now) return { kind: 'later', reason: 'send_window', at: openingAt(now) }
  const to = step.channel === 'email' ? contact.email : contact.phone
  if (to === null)
    return { kind: 'blocked', reason: step.channel === 'email' ? 'email_missing' : 'phone_missing' }
  const draft = await draftOf(scene, { step, facts, to }, written)
  if (draft === undefined) return { kind: 'skipped', reason: 'no_appointment' }
  try {
    const messageClass = isMarketing(step) ? 'marketing' : 'transactional'
    const plan = await planMessage(ctx, draft, { ...own, messageClass, assumedSends24h: assumedTexts })
    const { verdict } = plan
    if (verdict.allowed || verdict.retryAt === null) return { kind: 'planned', draft, plan }
    return { kind: 'later', reason: verdict.reason, at: openingAt(new Date(verdict.retryAt)), draft }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { kind: 'blocked', reason: error.body.reason ?? error.code }
  }
}

/** The result of a step whose message a gate forbids. */
export function blocked({ on_blocked = 'skip' }: MessageStep, reason: string, more?: object): StepResult {
  const id = (more as { message_id?: string } | undefined)?.message_id
  const recorded = result('blocked', reason, id === undefined ? {} : { message_id: id })
  return on_blocked === 'exit' ? { ...recorded, reply: { kind: 'end', reason: 'blocked' } } : recorded
}

/** Stands in for a text that is yet to be written, to judge only whether and when it may be sent. */
const notYetWritten = 'Hello.'

async function draftOf(
  scene: JudgeScene,
  { step, facts, to }: Pick<AskedStep<MessageStep>, 'step' | 'facts'> & { to: string },
  written = notYetWritten,
) {
  if (step.type === 'appointment_reminder') return reminderOf(scene, { step, facts, to })
  const { tx, workspaceName } = scene
  const { contact } = facts
  const words = await wordsFor(tx, contact, workspaceName)
  const fill = (text: string) => fillText(text, words)
  const draft =
    step.type === 'send'
      ? draftOfSend(step, to, fill)
      : { ...draftOfSend({ ...step, body: written }, to, fill), body: written, ai_generated: true }
  return { ...draft, contact_id: contact.id }
}

/** Undefined if no appointment is coming up. */
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
