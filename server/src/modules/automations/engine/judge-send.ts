import type { Written } from '../../ai/public.ts'
import type { Persona } from '../../personas/public.ts'
import { type MessageStep, type PlannedMessage, blocked, ownPartOf, planSend } from './plan-send.ts'
import { type AskedStep, type JudgeScene, type StepResult, result, waitFor } from './scene.ts'

/** A send that is further behind its time is left out, so that no flood follows a pause or an outage. */
const lateMs = 24 * 3_600_000
/** A message that may not be sent for so long is blocked. */
const patienceMs = 7 * lateMs

/** Who writes the message of a persona, and what they wrote, if they have. */
export interface Writer {
  persona: Persona
  written: Written | undefined
}

export interface JudgedSend {
  planned: PlannedMessage
  /** What becomes of the step without a message. Undefined where the planned one is to be handed over, allowed or not. */
  result?: StepResult
}

/** What becomes of a message that is behind its time; undefined if it is not. */
export function lateSend(
  { now }: JudgeScene,
  { enrollment: { due_at } }: Pick<AskedStep<MessageStep>, 'enrollment'>,
): StepResult | undefined {
  const due = due_at === null ? now.getTime() : Date.parse(due_at)
  return now.getTime() - due > lateMs ? result('skipped', 'late') : undefined
}

/** Judges a message that is not late, as of now, and writes nothing: the engine and a dry run do with it what they do. */
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

/** Waits until it may go, unless that takes too long. The history has each reason once. */
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
