import { later } from '#kernel/clock.ts'
import { type AskedStep, type MoveScene, type StepResult, result, waitFor } from '../scene.ts'

/** A step without a response for this long has failed. By then the job has made all its attempts. */
const patienceMs = 2 * 3_600_000

/** The step of an enrollment that a job works on. */
export interface StepAtHand {
  enrollment_id: string
  seq: number
}

export const stepKey = ({ enrollment_id, seq }: StepAtHand): string => `${enrollment_id}:${seq}`

/**
 * Queues a job for the external request, and waits for its response in the inbox. The job is queued again when the enrollment resumes. So
 * the request is made at least once, always with the same key, and takes effect in Gable once.
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
  const at = { enrollment_id: id, seq }
  enqueue(at, { key: stepKey(at) })
  return waitFor({ kind: 'response', since: now.toISOString(), attempts: 0, ...begun, until })
}
