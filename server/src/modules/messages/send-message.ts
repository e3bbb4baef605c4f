import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import type { Blocked } from '../compliance/public.ts'
import { ContactErased, lockContact, lockContactsForShare, pauseAiOf } from '../contacts/public.ts'
import { claimFiles } from '../files/public.ts'
import { complianceOf } from './compliance-of.ts'
import { turnConversation } from './conversations/conversation-queries.ts'
import type { MessageDraft } from './draft.ts'
import { approvalMs, dropUnapproved } from './drop-unapproved.ts'
import { ComplianceBlocked } from './errors.ts'
import { MessageBlocked } from './events.ts'
import { eventOf } from './message-event.ts'
import { type Message, messageRecord } from './message.ts'
import { type Plan, authorshipOf } from './plan-message.ts'
import { findLastReceived, insertMessage } from './queries.ts'
import { queueMessage } from './queue/queries.ts'

/**
 * Accepts a planned message for sending, or records why it must not be sent. If only the hours forbid it and the draft
 * has `when_blocked: schedule`, it waits for them. Throws 422 `compliance_blocked` if a gate forbids it, and keeps the
 * attempt.
 */
export async function sendMessage(
  ctx: Ctx,
  draft: MessageDraft,
  plan: Plan,
  repeated?: Repeated,
): Promise<Message> {
  const { message, blocked } = await ctx.transaction(async (tx) => {
    await repeated?.lock(tx)
    return acceptMessage(tx, draft, plan, { resendOf: repeated?.id ?? null, author: authorshipOf(plan, ctx) })
  })
  if (blocked !== undefined)
    throw ComplianceBlocked({ message_id: message.id, content: blocked.evidence.content }, blocked)
  return message
}

/**
 * `id`: the message that is sent again, if there is one. `lock` runs first in the transaction. It throws if nothing may
 * be sent, and can write what belongs to the message.
 */
export interface Repeated {
  id: string | null
  lock(tx: Tx): Promise<void>
}

async function acceptMessage(
  limited: Tx,
  draft: MessageDraft,
  plan: Plan,
  { resendOf, author }: { resendOf: string | null; author: ReturnType<typeof authorshipOf> },
) {
  const tx = limited.unrestricted()
  const { verdict, sender, contact, to, channel, own } = plan
  const at = tx.clock.now()
  const scheduledAt = !verdict.allowed && draft.when_blocked === 'schedule' ? verdict.retryAt : null
  const blocked = verdict.allowed || scheduledAt !== null ? undefined : verdict
  // What a credential that must not learn whose a number is writes to it leaves no trace that the credential sees.
  const isHidden = (author.hidden_from ?? null) !== null
  if (plan.pausesAi && blocked === undefined && !isHidden)
    await pauseAiOf(tx, { contactIds: contact === undefined ? [] : [contact.id], points: [to] }, 'message')
  const message: Message = {
    ...messageRecord.create({}, at),
    ...(own.id === undefined ? {} : { id: own.id }),
    ...contentOf(draft, plan),
    ...author,
    contact_id: contact?.id ?? null,
    sender_id: sender?.id ?? null,
    connection_id: sender?.connection_id ?? null,
    channel,
    status:
      own.awaitsApproval === true && blocked === undefined
        ? 'pending_approval'
        : statusOf(blocked, scheduledAt),
    from: sender?.address ?? null,
    to: contact?.erased_at ? null : to.value,
    purpose: draft.purpose ?? 'outbound',
    source: own.source ?? (tx.actor.type === 'member' ? 'user' : 'api'),
    message_class: own.messageClass ?? 'marketing',
    ai_generated: draft.ai_generated ?? false,
    persona_id: own.personaId ?? null,
    campaign_id: own.campaignId ?? null,
    compliance: complianceOf(plan.verdict, at),
    resend_of: resendOf,
    waits_for_hours: draft.when_blocked === 'schedule',
    scheduled_at: scheduledAt === null ? null : new Date(scheduledAt).toISOString(),
    actor: tx.actor,
  }
  const [isPresent, conversationId] = await Promise.all([
    lockPresent(tx, plan),
    sender === undefined || message.to === null
      ? null
      : turnConversation(tx, {
          // An ID contains the time at which it was made.
          id: newId(isHidden && contact !== undefined ? new Date(contact.created_at) : at),
          senderId: sender.id,
          channel,
          address: message.to,
          contactId: message.contact_id,
          messageId: message.id,
          direction: 'OUTBOUND',
          at: message.created_at,
          keepsSuggestion: isHidden,
        }),
  ])
  // An erasure after the plan was made has not covered this message.
  if (!isPresent) throw ContactErased()
  message.conversation_id = conversationId
  if (draft.channel === 'email' && conversationId !== null)
    message.reply_to_message_id =
      draft.reply_to_message_id ?? (await findLastReceived(tx, conversationId)) ?? null
  await claimMedia(tx, message)
  insertMessage(tx, message)
  if (message.status === 'pending_approval')
    tx.enqueue(dropUnapproved, { message_id: message.id }, { runAt: later(at, approvalMs) })
  else if (blocked === undefined) queueMessage(tx, message)
  else
    await tx.emit(MessageBlocked, {
      ...eventOf(message),
      reason: blocked.reason,
      reasons: [...blocked.reasons],
    })
  return { message, blocked }
}

/** Claims the files of a message. They exist for an hour after they were stored. */
async function claimMedia(tx: Tx, { media }: Message): Promise<void> {
  if (media.length === 0) return
  const claimed = await claimFiles(
    tx,
    media.map(({ id }) => id),
  )
  if (claimed.length !== media.length) throw new Error('A file of the message no longer exists.')
}

/**
 * Locks the contact of a message, and holds the one that was named if it is another, in the order of their IDs. Returns
 * false if either was erased since the plan was made.
 */
async function lockPresent(tx: Tx, { contact, addressed }: Plan): Promise<boolean> {
  const other = addressed?.id === contact?.id ? undefined : addressed
  const hold = async () => other && (await lockContactsForShare(tx, [other.id]))[0]
  const first =
    other !== undefined && contact !== undefined && other.id < contact.id ? await hold() : undefined
  const present = contact && (await lockContact(tx, contact.id))
  const held = first ?? (await hold())
  return present?.erased_at === contact?.erased_at && held?.erased_at === other?.erased_at
}

function statusOf(blocked: Blocked | undefined, scheduledAt: number | null): Message['status'] {
  if (blocked !== undefined) return 'blocked'
  return scheduledAt === null ? 'queued' : 'scheduled'
}

/** The content of the message. Nothing is kept for a contact that has been erased. */
function contentOf(draft: MessageDraft, { contact, template, segments, own }: Plan): Partial<Message> {
  if (contact?.erased_at) return {}
  return {
    subject: draft.channel === 'email' ? draft.subject : null,
    body: draft.body ?? null,
    body_html: draft.channel === 'email' ? (draft.html ?? null) : null,
    template,
    segments,
    calendar: own.calendar ?? null,
    media: [...(own.media ?? [])],
  }
}
