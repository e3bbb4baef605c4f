import { maxAttempts, retryDelayMs } from './schedule.ts'

/** What came of an attempt, as far as it decides. */
export interface Outcome {
  ok: boolean
}

export interface Verdict {
  status: 'delivered' | 'pending' | 'failed'
  /** When the next attempt may begin, milliseconds since the epoch; of no meaning unless pending. */
  dueAt: number
}

/** What follows from the attempt of this number, which ended at `endedAt`: done, one more, or never again. */
export function verdictOn(outcome: Outcome, attempt: number, endedAt: number): Verdict {
  if (outcome.ok) return { status: 'delivered', dueAt: endedAt }
  const delay = attempt < maxAttempts ? retryDelayMs(attempt) : undefined
  return delay === undefined
    ? { status: 'failed', dueAt: endedAt }
    : { status: 'pending', dueAt: endedAt + delay }
}
