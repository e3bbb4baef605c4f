import { isDeepStrictEqual } from 'node:util'
import type { Ctx, Tx } from '#kernel/context.ts'
import { AppError, defineError, orNotFound } from '#kernel/errors.ts'
import { findContact, lockContact, nameInText } from '../../contacts/public.ts'
import { queueMail } from '../../mail/public.ts'
import { planMessage, sendMessage } from '../../messages/public.ts'
import { findMember, findWorkspace } from '../../workspaces/public.ts'
import { findAppointment, lockAppointment } from '../appointment-queries.ts'
import type { AppointmentRow } from '../appointment.ts'
import { invitationFile } from '../event-file.ts'
import { listSentInvitations, saveInvitation } from './invitation-queries.ts'
import { invitationText } from './invitation-text.ts'
import { type Due, planInvitations } from './plan-invitations.ts'

/**
 * Nothing is sent, because the appointment has changed or the person already has this invitation. Another run handles
 * it.
 */
const NotDue = defineError('not_due', 409, () => ({ message: 'This invitation is no longer due.' }))

/**
 * Sends the invitations that are due. Each one is recorded in the transaction that queues it, so that it is sent only
 * once. Contacts and outside attendees get a message, which is subject to the compliance gates; members get an email.
 */
export async function sendInvitations(ctx: Ctx, id: string): Promise<void> {
  const row = await findAppointment(ctx.db, id)
  if (row === undefined) return
  for (const due of planInvitations(row, await listSentInvitations(ctx.db, id), ctx.clock.now())) {
    try {
      await sendOne(ctx, row, due)
    } catch (error) {
      // A message that the gates block is already recorded. After the other client errors there is nothing left to
      // send.
      if (!(error instanceof AppError) || error.status >= 500) throw error
    }
  }
}

async function sendOne(ctx: Ctx, row: AppointmentRow, due: Due): Promise<void> {
  const host = row.host_id === null ? undefined : await findMember(ctx.db, row.host_id)
  const from = host?.name ?? orNotFound(await findWorkspace(ctx.directory, ctx.workspaceId)).name
  const text = invitationText(row, due, from)
  const status = due.method === 'CANCEL' ? ('cancelled' as const) : row.status
  const shown = { ...row, status, sequence: due.sequence }
  const member = await findMember(ctx.db, due.person)
  if (member !== undefined) {
    const organizer = { name: from, email: host?.email ?? member.email }
    const calendar = invitationFile(shown, organizer, member)
    return ctx.transaction(async (tx) => {
      await claim(tx, row, due)
      queueMail(tx, ctx, { to: member.email, subject: text.subject, text: text.body, calendar })
    })
  }
  const recipient = await recipientOf(ctx, due)
  if (recipient === undefined) return
  const draft = { channel: 'email' as const, ...recipient.draft, ...text }
  const own = { messageClass: 'transactional', source: 'system' } as const
  const plan = await planMessage(ctx, draft, own)
  const organizer = { name: from, email: plan.sender?.address ?? recipient.draft.to }
  const calendar = invitationFile(shown, organizer, { name: recipient.name, email: recipient.draft.to })
  await sendMessage(
    ctx,
    draft,
    { ...plan, own: { ...own, calendar } },
    {
      id: null,
      async lock(tx) {
        if (plan.contact !== undefined) await lockContact(tx, plan.contact.id)
        await claim(tx, row, due)
      },
    },
  )
}

/**
 * A contact at their email address, or an outside attendee at the appointment's address for them. Undefined for a
 * contact without an email address.
 */
async function recipientOf(ctx: Ctx, { person, name }: Due) {
  if (person.includes('@')) return { name, draft: { to: person } }
  const contact = await findContact(ctx.db, person)
  if (contact === undefined || contact.email === null) return undefined
  const names = [contact.first_name, contact.last_name].map(nameInText).filter((one) => one !== null)
  return { name: names.join(' ') || null, draft: { to: contact.email, contact_id: person } }
}

/** Records that the person gets this invitation. Throws `not_due` if it is no longer what is due. */
async function claim(tx: Tx, { id }: AppointmentRow, due: Due): Promise<void> {
  const row = await lockAppointment(tx, id)
  const dues =
    row === undefined ? [] : planInvitations(row, await listSentInvitations(tx, id), tx.clock.now())
  if (!dues.some((one) => isDeepStrictEqual(one, due))) throw NotDue()
  saveInvitation(tx, id, due)
}
