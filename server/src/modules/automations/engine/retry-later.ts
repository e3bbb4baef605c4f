import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { lockPersons } from '../../contacts/public.ts'
import { endEnrollment } from '../change-enrollment.ts'
import { lockActiveOf, saveEnrollment } from '../enrollment-queries.ts'
import { moveContact } from './move-contact.ts'
import { type Hold, isHeld } from './queue-queries.ts'

const minutes = [1, 5, 30, 120]

/**
 * After a move that threw: what has come is looked at without taking a step, so that no exit is lost. What is due is tried again
 * after 1, 5, 30 and 120 minutes, and fails then.
 */
export async function retryLater(ctx: Ctx, hold: Hold, contactId: string): Promise<void> {
  await moveContact(ctx, hold, contactId, false)
  await ctx.transaction(async (tx) => {
    if (!(await isHeld(tx, hold))) return
    await lockPersons(tx, { contactIds: [contactId], points: [] })
    const now = tx.clock.now()
    for (const enrollment of await lockActiveOf(tx, contactId)) {
      const { id, status, due_at, attempts, updated_at } = enrollment
      if (status === 'paused' || due_at === null || Date.parse(due_at) > now.getTime()) continue
      const wait = minutes[attempts]
      if (wait === undefined) await endEnrollment(tx, enrollment, 'failed', 'error')
      else
        saveEnrollment(tx, id, {
          attempts: attempts + 1,
          due_at: later(now, wait * 60_000).toISOString(),
          updated_at: timeAfter(updated_at, now),
        })
    }
  })
}
