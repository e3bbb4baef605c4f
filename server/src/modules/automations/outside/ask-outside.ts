import { later } from '#kernel/clock.ts'
import { type AskedStep, type MoveScene, type StepResult, result, waitFor } from '../engine/scene.ts'

/** After so long without a response a step has failed. The attempts of a job are over before. */
const patienceMs = 2 * 3_600_000

/** The step of an enrollment that a job is about. */
export interface StepAtHand {
  enrollment_id: string
  seq: number
}

/**
 * Has a job do what happens outside, and waits for its response from the inbox. It is queued again when the enrollment resumes: outside it
 * happens at least once, with one key, and inside once.
 */
export function askOutside(
  { now }: MoveScene,
  { enrollment }: Pick<AskedStep<unknown>, 'enrollment'>,
  enqueue: (step: StepAtHand, options: { key: string }) => void,
): StepResult {
  const { id, seq, waiting_for: waiting } = enrollment
  if (waiting?.kind === 'response' && waiting.response !== undefined) {
    const { outcome, reason, refs } = waiting.response
    return result(outcome, reason, refs)
  }
  const begun = waiting?.kind === 'response' ? waiting : undefined
  const until = begun?.until ?? later(now, patienceMs).toISOString()
  if (Date.parse(until) <= now.getTime()) return result('failed', 'no_response')
  enqueue({ enrollment_id: id, seq }, { key: `${id}:${seq}` })
  return waitFor({ kind: 'response', until, since: begun?.since ?? now.toISOString() })
}
