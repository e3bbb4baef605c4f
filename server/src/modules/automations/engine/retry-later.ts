import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { lockContact } from '../../contacts/public.ts'
import { endEnrollment } from '../change-enrollment.ts'
import { lockActiveOf, saveEnrollment } from '../enrollment-queries.ts'
import { type Hold, deleteLetters, isHeld, listLetters } from './queue-queries.ts'

const minutes = [1, 5, 30, 120]

/**
 * After a move that threw: what is due of the contact is tried again after 1, 5, 30 and 120 minutes, and fails then. What had come
 * is dropped once nothing is left that could be tried.
 */
export const retryLater = (ctx: Ctx, hold: Hold, contactId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (!(await isHeld(tx, hold))) return
    await lockContact(tx, contactId)
    const now = tx.clock.now()
    const letters = await listLetters(tx, contactId)
    deleteLetters(
      tx,
      letters.map(({ id }) => id),
    )
    for (const enrollment of await lockActiveOf(tx, contactId)) {
      if (enrollment.status === 'paused' || enrollment.due_at === null) continue
      const wait = minutes[enrollment.attempts]
      if (wait === undefined) await endEnrollment(tx, enrollment, 'failed', 'error')
      else
        saveEnrollment(tx, enrollment.id, {
          attempts: enrollment.attempts + 1,
          due_at: later(now, wait * 60_000).toISOString(),
        })
    }
  })
