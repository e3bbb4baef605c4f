import type { Ctx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import { appendToInbox } from '../append.ts'
import { stepOf } from '../definition/tree.ts'
import { findEnrollment } from '../enrollment-queries.ts'
import type { OutsideResponse } from '../enrollment.ts'
import { findVersion } from '../queries.ts'
import type { StepAtHand } from './ask-outside.ts'

/** The enrollment and its step, if the enrollment is running and still waits for a response there. */
export async function findStepAtHand(db: Db, { enrollment_id, seq }: StepAtHand) {
  const enrollment = await findEnrollment(db, enrollment_id)
  if (enrollment?.status !== 'running' || enrollment.seq !== seq) return undefined
  if (enrollment.waiting_for?.kind !== 'response' || enrollment.waiting_for.response !== undefined)
    return undefined
  const version = await findVersion(db, enrollment.automation_id, enrollment.version)
  const step = version && stepOf(version.definition, enrollment.step_key ?? '')
  return step && { enrollment, step }
}

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
