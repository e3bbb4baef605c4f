import type { Ctx, Tx } from '#kernel/context.ts'
import { ValidationFailed, orNotFound } from '#kernel/errors.ts'
import { lockContact } from '../contacts/public.ts'
import { sendChannels } from '../senders/public.ts'
import type { MessageDraft } from './draft.ts'
import { MessageErased, MessageNotResendable } from './errors.ts'
import type { Message, MessageStatus } from './message.ts'
import { type Plan, planMessage } from './plan-message.ts'
import { findMessage, findResendOf, lockMessage } from './queries.ts'
import { lockQueued } from './queue/queries.ts'
import { sendMessage } from './send-message.ts'

/** A message to send again as a new one: the same content to the same recipient. */
export interface Resend {
  message: Message
  draft: MessageDraft
  plan: Plan
}

const resendable: ReadonlySet<MessageStatus> = new Set(['unknown', 'failed', 'undelivered'])

/**
 * Plans a message again, and judges it as of now. Throws 404 if there is none, 409 `message_erased` if its content has
 * been erased, and 409 `message_not_resendable` unless it is `failed`, `undelivered`, or `unknown`.
 */
export async function planResend(ctx: Ctx, id: string): Promise<Resend> {
  const message = orNotFound(await findMessage(ctx.db, id))
  requireResendable(message)
  const draft = draftAgain(message)
  return { message, draft, plan: await planMessage(ctx, draft, ownPartOf(message)).catch(rethrow) }
}

/**
 * Accepts a planned resend; see `sendMessage`. Also throws 409 `message_not_resendable` if Gable is still looking for
 * the message at the carrier, or it has already been sent again.
 */
export const resendMessage = (ctx: Ctx, { message, draft, plan }: Resend): Promise<Message> =>
  sendMessage(ctx, draft, plan, { id: message.id, lock: (tx) => lockResendable(tx, message) })

function requireResendable({ status, kind, erased_at, media }: Message): void {
  if (erased_at !== null) throw MessageErased()
  if (kind !== 'standard') throw MessageNotResendable('was sent by the system itself')
  if (media.length > 0) throw MessageNotResendable('has files. Send a new message with `media_urls`')
  if (!resendable.has(status)) throw MessageNotResendable(`is ${status}`)
}

/**
 * Makes sure that of two concurrent requests to send a message again, only one does. Lock order, as in an erasure:
 * contact, outbox row, message.
 */
async function lockResendable(tx: Tx, { id, contact_id }: Message): Promise<void> {
  if (contact_id !== null) await lockContact(tx.unrestricted(), contact_id)
  if ((await lockQueued(tx, id)) !== undefined)
    throw MessageNotResendable('is still being looked for at the carrier. Try again after message.unknown')
  requireResendable(orNotFound(await lockMessage(tx, id)))
  if ((await findResendOf(tx, id)) !== undefined) throw MessageNotResendable('has already been sent again')
}

const ownPartOf = ({ message_class: messageClass, calendar, persona_id: personaId }: Message) => ({
  messageClass,
  calendar,
  personaId,
})

/** The content of a message, as a request body. */
export function draftAgain(message: Message): MessageDraft {
  const { to, body, subject, body_html, template, sender_id, purpose, ai_generated } = message
  const contact_id = addressedIn(message)
  const { reply_to_message_id } = message
  return {
    channel: sendChannels[message.channel],
    to: to ?? '',
    ...(body !== null && { body }),
    ...(message.channel === 'EMAIL' && { subject: subject ?? '' }),
    ...(reply_to_message_id !== null && { reply_to_message_id }),
    ...(body_html !== null && { html: body_html }),
    ...(template !== null && { template }),
    ...(sender_id !== null && { from: sender_id }),
    ...(contact_id !== null && { contact_id }),
    ...(purpose !== null && { purpose }),
    ai_generated,
  } as MessageDraft
}

/** The contact that the author of a message named. */
const addressedIn = ({ contact_id, addressed_contact_id, author_id, hidden_from }: Message): string | null =>
  author_id === null && hidden_from === null ? contact_id : addressed_contact_id

/** Turns a validation error into 409 `message_not_resendable`: a resend has no body that the caller could correct. */
function rethrow(error: unknown): never {
  const isInvalid = error instanceof Error && 'code' in error && error.code === ValidationFailed.code
  throw isInvalid
    ? MessageNotResendable('goes to a number or address that no longer belongs to its contact')
    : error
}
