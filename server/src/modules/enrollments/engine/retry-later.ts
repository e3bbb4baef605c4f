import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { isOutage } from '#kernel/db/errors.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { findAutomation } from '../../automations/public.ts'
import { findContact, lockPersons } from '../../contacts/public.ts'
import { queueMail } from '../../mail/public.ts'
import { findMember } from '../../workspaces/public.ts'
import { endEnrollment } from '../change-enrollment.ts'
import type { Enrollment } from '../enrollment.ts'
import { deleteFromInbox, listInbox, postponeInbox } from '../inbox/queries.ts'
import { listDueOf, lockActiveOf, saveEnrollment } from '../queries.ts'
import { type Hold, isHeld } from './lane-queries.ts'
import { moveContacts } from './move-contacts.ts'

const minutes = [1, 5, 30, 120]

/**
 * Handles a contact whose move threw. First processes the inbox without taking steps, so that no exit is lost. Then moves each due
 * enrollment alone. One that throws is retried after 1, 5, 30, and 120 minutes; then it fails, and the contact's owner gets an email. If
 * even the inbox cannot be processed, its rows are postponed by the same delays. In the end they are dropped, and every active enrollment
 * of the contact fails, because the rows might have ended it.
 */
export async function retryLater(
  ctx: Ctx,
  hold: Hold,
  contactId: string,
  move = moveContacts,
): Promise<void> {
  const isSeen = await lookAt(ctx, hold, contactId)
  const throwing = isSeen ? await findThrowing(ctx, hold, contactId, move) : undefined
  await ctx.transaction(async (tx) => {
    if (!(await isHeld(tx, hold))) return
    await lockPersons(tx, { contactIds: [contactId], points: [] })
    const now = tx.clock.now()
    const isDropped = !isSeen && (await putOff(tx, contactId, now))
    for (const enrollment of await lockActiveOf(tx, contactId)) {
      const { id, status, due_at, attempts, updated_at } = enrollment
      const isDue = status !== 'paused' && due_at !== null && Date.parse(due_at) <= now.getTime()
      const hasThrown = isDue && (throwing === undefined || throwing.includes(id))
      if (!hasThrown && !isDropped) continue
      const wait = isDropped ? undefined : minutes[attempts]
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

async function lookAt(ctx: Ctx, hold: Hold, contactId: string): Promise<boolean> {
  try {
    await moveContacts(ctx, hold, [contactId], 'none')
    return true
  } catch (error) {
    if (isOutage(error)) throw error
    ctx.log.error(
      { err: error, workspace: ctx.workspaceId, contact: contactId },
      'an inbox was not looked at',
    )
    return false
  }
}

/**
 * Moves each due enrollment of a contact alone, and returns the IDs of those that throw. A single due enrollment has just thrown, so it is
 * not moved again.
 */
async function findThrowing(
  ctx: Ctx,
  hold: Hold,
  contactId: string,
  move: typeof moveContacts,
): Promise<string[]> {
  const due = await listDueOf(ctx.db, contactId, ctx.clock.now())
  if (due.length < 2) return due
  const throwing: string[] = []
  for (const id of due)
    try {
      await move(ctx, hold, [contactId], { only: id })
    } catch (error) {
      if (isOutage(error)) throw error
      ctx.log.warn({ err: error, workspace: ctx.workspaceId, enrollment: id }, 'an enrollment was not moved')
      throwing.push(id)
    }
  return throwing
}

/** Postpones a contact's inbox rows. The fifth time, drops them and returns true. Rows that arrive before the next attempt wait for it. */
async function putOff(tx: Tx, contactId: string, now: Date): Promise<boolean> {
  const inbox = await listInbox(tx, contactId)
  const attempts = Math.max(0, ...inbox.map((row) => row.attempts))
  const next = Math.max(0, ...inbox.map(({ due_at }) => Date.parse(due_at ?? '') || 0))
  const wait = minutes[attempts]
  if (next > now.getTime()) {
    postponeInbox(tx, contactId, { at: new Date(next), attempts })
    return false
  }
  if (wait !== undefined) {
    postponeInbox(tx, contactId, { at: later(now, wait * 60_000), attempts: attempts + 1 })
    return false
  }
  deleteFromInbox(
    tx,
    contactId,
    inbox.map(({ id }) => id),
  )
  return true
}

/** Emails the contact's owner, or else the member who created the automation. The mail contains no personal data. */
async function mailOwner(tx: Tx, { id, contact_id, automation_id }: Enrollment): Promise<void> {
  const [contact, automation] = await Promise.all([
    findContact(tx, contact_id),
    findAutomation(tx, automation_id),
  ])
  const creator = automation?.created_by.type === 'member' ? automation.created_by.id : null
  const memberId = contact?.owner_id ?? creator
  const member = memberId === null ? undefined : await findMember(tx, memberId)
  if (member?.active !== true) return
  const name = automation?.name.replaceAll(/\s+/g, ' ') ?? 'An automation'
  const text = [
    `The automation “${name}” has ended for a contact, because a step failed five times.`,
    `Contact: ${contact_id}\nEnrollment: ${id}`,
  ].join('\n\n')
  queueMail(tx, tx, { to: member.email, subject: `Automation failed: ${name}`, text })
}
