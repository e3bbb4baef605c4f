import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { lockPersons } from '../../contacts/public.ts'
import {
  type Concerned,
  type Enrollment,
  endWithRun,
  listConcerned,
  lockConcerned,
  pauseWithRun,
  resumeWithRun,
} from '../../enrollments/public.ts'
import { cancelUnsent, lockContactsOfForShare, listUnsentOf } from '../../messages/public.ts'
import { type Backfill, turnMs } from '../backfill.ts'
import { saveBackfill } from '../queries.ts'

/** Enrollments per transaction. */
const perBatch = 50

/** Pauses the next enrollments of a paused run, whose lock the caller holds. The run stays due until none are left. */
export async function pauseSome(limited: Tx, run: Backfill): Promise<void> {
  const tx = limited.unrestricted()
  const enrollments = await lockSome(tx, run, 'pause')
  for (const enrollment of enrollments) await pauseWithRun(tx, enrollment)
  if (enrollments.length < perBatch) saveBackfill(tx, run.id, { next_at: null })
}

/**
 * Resumes the next enrollments of a resumed run, whose lock the caller holds. An enrollment whose message has been accepted resumes at
 * once, to wait for the outcome; the others take turns. Contacts who have not entered follow.
 */
export async function resumeSome(limited: Tx, run: Backfill & { resumes_from: string }): Promise<void> {
  const tx = limited.unrestricted()
  const enrollments = await lockSome(tx, run, 'resume')
  let turn = new Date(run.resumes_from)
  for (const enrollment of enrollments) {
    const isSending = enrollment.waiting_for?.kind === 'message'
    await resumeWithRun(tx, enrollment, isSending ? tx.clock.now() : turn)
    if (!isSending) turn = later(turn, turnMs(run))
  }
  const at = turn.toISOString()
  const isDone = enrollments.length < perBatch
  saveBackfill(tx, run.id, isDone ? { next_at: at, resumes_from: null } : { resumes_from: at })
}

/** Ends the next enrollments and messages of a cancelled run, whose lock the caller holds. Returns whether there may be more. */
export async function cancelSome(limited: Tx, run: Backfill): Promise<boolean> {
  const tx = limited.unrestricted()
  const enrollments = await lockSome(tx, run, 'cancel')
  for (const enrollment of enrollments) await endWithRun(tx, enrollment)
  const messages = await listUnsentOf(tx, run.id, perBatch)
  await lockContactsOfForShare(tx, messages)
  await cancelUnsent(tx, messages)
  return enrollments.length === perBatch || messages.length === perBatch
}

/** Locks the next enrollments of a run, after their contacts. */
async function lockSome(tx: Tx, { id }: Backfill, action: Concerned['action']): Promise<Enrollment[]> {
  const concerned = { automation_id: id, action, version: null }
  const next = await listConcerned(tx, { ...concerned, after: '' }, { limit: perBatch })
  await lockPersons(tx, { contactIds: next.map(({ contact_id }) => contact_id), points: [] })
  return lockConcerned(
    tx,
    concerned,
    next.map((one) => one.id),
  )
}
