import type { Written } from '../../ai/public.ts'
import type { Persona } from '../../personas/public.ts'
import { type MessageStep, type PlannedMessage, blocked, ownPartOf, planSend } from './plan-send.ts'
import { type AskedStep, type JudgeScene, type StepResult, result, waitFor } from './scene.ts'

/** A message that is more overdue than this is skipped, so that no flood follows a pause or an outage. */
const lateMs = 24 * 3_600_000
/** A message that may not be sent for this long is blocked. */
const patienceMs = 7 * lateMs

/** The persona that writes a message, and its text, if it has written one. */
export interface Writer {
  persona: Persona
  written: Written | undefined
}

export interface JudgedSend {
  planned: PlannedMessage
  /** The result of the step if there is no message to hand over. Undefined if `planned` is handed over, whether allowed or not. */
  result?: StepResult
}

/** The result of a step whose message is too late; undefined if it is not. */
export function lateSend(
  { now }: JudgeScene,
  { enrollment: { due_at } }: Pick<AskedStep<MessageStep>, 'enrollment'>,
): StepResult | undefined {
  return due_at !== null && isLate(due_at, now) ? result('skipped', 'late') : undefined
}

export const isLate = (due: string, now: Date): boolean => now.getTime() - Date.parse(due) > lateMs

/** Judges a message that is not late, as of now. Writes nothing: the engine and dry runs each act on the result in their own way. */
export async function judgeSend(
  scene: JudgeScene,
  asked: AskedStep<MessageStep>,
  writer?: Writer,
): Promise<JudgedSend> {
  const own = { ...ownPartOf(asked), awaitsApproval: writer?.persona.mode === 'approve' }
  const planned = await planSend(scene, asked, own, writer?.written?.body)
  switch (planned.kind) {
    case 'later':
      return { planned, result: await defer(scene, asked, planned.reason, planned.at) }
    case 'blocked':
      return { planned, result: blocked(asked.step, planned.reason) }
    case 'skipped':
      return { planned, result: result('skipped', planned.reason) }
    case 'planned':
      return { planned }
  }
}

/** Waits until the message may be sent, or blocks it if that takes too long. The history gets each reason only once per wait. */
async function defer(
  { now }: JudgeScene,
  { step, enrollment, history }: AskedStep<MessageStep>,
  reason: string,
  at: Date,
): Promise<StepResult> {
  const { waiting_for: waiting } = enrollment
  const since = (waiting?.kind === 'hours' ? waiting.since : undefined) ?? now.toISOString()
  if (at.getTime() - Date.parse(since) > patienceMs) return blocked(step, 'too_late')
  const isKnown = (await history()).some(
    (earlier) =>
      earlier.step_key === step.key &&
      earlier.outcome === 'deferred' &&
      earlier.reason === reason &&
      earlier.at >= since,
  )
  const fact = isKnown ? null : { outcome: 'deferred' as const, reason, refs: {} }
  return waitFor({ kind: 'hours', until: at.toISOString(), since, reason }, fact)
}
