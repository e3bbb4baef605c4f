import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { findContact, lockPersons } from '../../contacts/public.ts'
import { queueMail } from '../../mail/public.ts'
import { findMember } from '../../workspaces/public.ts'
import { endEnrollment } from '../change-enrollment.ts'
import { lockActiveOf, saveEnrollment } from '../enrollment-queries.ts'
import type { Enrollment } from '../enrollment.ts'
import { findAutomation } from '../queries.ts'
import { moveContact } from './move-contact.ts'
import { type Hold, isHeld } from './queue-queries.ts'

const minutes = [1, 5, 30, 120]

/**
 * After a move that threw: what has come is looked at without taking a step, so that no exit is lost. What is due is tried again
 * after 1, 5, 30 and 120 minutes, and fails then, of which the owner of the contact gets an email.
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
      if (wait === undefined) {
        await endEnrollment(tx, enrollment, 'failed', 'error')
        await mailOwner(tx, enrollment)
      } else
        saveEnrollment(tx, id, {
          attempts: attempts + 1,
          due_at: later(now, wait * 60_000).toISOString(),
          updated_at: timeAfter(updated_at, now),
        })
    }
  })
}

/** Lets the owner of the contact know, or else the member who created the automation. The mail has no personal data. */
async function mailOwner(tx: Tx, { id, contact_id, automation_id }: Enrollment): Promise<void> {
  const [contact, automation] = await Promise.all([
    findContact(tx, contact_id),
    findAutomation(tx, automation_id),
  ])
  const creator = automation?.created_by.type === 'member' ? automation.created_by.id : null
  const memberId = contact?.owner_id ?? creator
  const member = memberId === null ? undefined : await findMember(tx, memberId)
  if (member?.active !== true) return
  const text = [
    'A step of this automation threw an error five times, so it has ended for a contact.',
    `Contact: ${contact_id}\nEnrollment: ${id}`,
  ].join('\n\n')
  const name = automation?.name.replaceAll(/\s+/g, ' ') ?? 'An automation'
  queueMail(tx, tx, { to: member.email, subject: `${name} has failed`, text })
}
