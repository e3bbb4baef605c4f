import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import { stepOf, findVersion } from '../../../automations/public.ts'
import type { Enrollment, OutsideResponse } from '../../enrollment.ts'
import { appendToInbox } from '../../inbox/append.ts'
import { findEnrollment, lockEnrollment, saveEnrollment } from '../../queries.ts'
import { type StepAtHand, stepKey } from './ask-outside.ts'

/** The enrollment and its step, if the enrollment is running and still waits for a response there. */
export async function findStepAtHand(db: Db, { enrollment_id, seq }: StepAtHand) {
  const enrollment = await findEnrollment(db, enrollment_id)
  if (!waitsAt(seq, enrollment)) return undefined
  const version = await findVersion(db, enrollment.automation_id, enrollment.version)
  const step = version && stepOf(version.definition, enrollment.step_key ?? '')
  return step && { enrollment, step }
}

function waitsAt(seq: number, enrollment: Enrollment | undefined): enrollment is Enrollment {
  const { status, seq: current, waiting_for: waiting } = enrollment ?? {}
  return (
    status === 'running' && current === seq && waiting?.kind === 'response' && waiting.response === undefined
  )
}

/** Seconds before each retry. After the last one, the step has failed. */
const pauses = [30, 300, 1800]

/** Whether the current attempt is the last one. */
export const isLastAttempt = ({ waiting_for }: Enrollment): boolean =>
  (waiting_for?.attempts ?? 0) >= pauses.length

/** Queues the next attempt, and records the failed one on the enrollment, if it still waits there. */
export const retryStep = (
  ctx: Ctx,
  { enrollment_id, seq }: StepAtHand,
  failure: string,
  enqueue: (tx: Tx, options: { runAt: Date; key: string }) => void,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const enrollment = await lockEnrollment(tx, enrollment_id)
    const waiting = enrollment?.waiting_for
    if (!waitsAt(seq, enrollment) || !waiting) return
    const attempts = (waiting.attempts ?? 0) + 1
    const runAt = later(tx.clock.now(), (pauses[attempts - 1] ?? 0) * 1000)
    const failed = { attempts, failure, retry_at: runAt.toISOString() }
    saveEnrollment(tx, enrollment_id, { waiting_for: { ...waiting, ...failed } })
    enqueue(tx, { runAt, key: stepKey({ enrollment_id, seq }) })
  })

/** Adds the response to a step to the engine's inbox. If there are several, the first one counts. */
export const respondToStep = (
  ctx: Ctx,
  { enrollment_id, seq }: StepAtHand,
  contactId: string,
  response: OutsideResponse,
): Promise<void> =>
  ctx.transaction(async (tx) =>
    appendToInbox(tx, { contact_id: contactId, about: { enrollment_id, seq, response } }),
  )
