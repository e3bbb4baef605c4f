import type { Tx } from '#kernel/context.ts'
import {
  type Classified,
  type Subject,
  type SuppressionKind,
  type SuppressionRow,
  classifyInbound,
  liftOptOut,
  suppressIn,
} from '../../compliance/public.ts'
import { type PauseReason, type Point, pauseAiOf } from '../../contacts/public.ts'
import { type SenderRow, sendChannels } from '../../senders/public.ts'
import { ownWords } from '../email/own-words.ts'
import { MessageClassified } from '../events.ts'
import type { Message } from '../message.ts'
import { cancelWaiting } from '../queue/cancel-waiting.ts'
import { respond, respondToHelp } from './respond.ts'

/** The contacts behind a number or address, and the suppressions against them. */
export interface PersonBehind {
  contactIds: readonly string[]
  held: readonly SuppressionRow[]
}

/** A message that a person wrote, and that person. The transaction holds the person's locks. */
export interface Received {
  message: Message
  /** The author's number or address. An email with our token also speaks for the address that the token was sent to. */
  points: readonly Point[]
  person: PersonBehind
  sender: SenderRow
  writtenAt: Date
  /** Whether the provider itself responds to words such as STOP. */
  providerResponds: boolean
}

/**
 * Does what a message asks for.
 *
 * An opt-out by phone applies to texts, WhatsApp messages, and automated calls to the number. It cancels what waits to
 * be sent to it, pauses the AI, and gets one confirmation. An opt-out by email applies to emails to the address, and
 * gets no confirmation. A person who wants no contact at all also goes on the internal do-not-call list. An email whose
 * sender is not verified does no more than stop email to its address.
 *
 * An opt-in lifts only the opt-out that the person wrote before it. In doubt, the opt-out stands, such as when an older
 * opt-out is found after an opt-in.
 */
export async function actOnWords(
  tx: Tx,
  received: Received,
  { action, noContact }: Classified,
): Promise<void> {
  const { message, points, person, writtenAt, providerResponds } = received
  const isEmail = message.channel === 'EMAIL'
  if (action === 'none') return
  const { id, contact_id, sender_verified } = message
  await tx.emit(MessageClassified, { id, contact_id, action, sender_verified })
  const record = (kind: SuppressionKind, subjects: readonly Subject[]) =>
    suppressIn(
      tx,
      subjects.map((subject) => ({
        subject,
        kind,
        source: sender_verified === false ? 'unverified_email' : 'inbound',
        since: writtenAt,
      })),
    )
  switch (action) {
    case 'opt_out': {
      const added = await record('opted_out', points)
      // Calls and texts reach numbers, so the author of an email goes on the list as a contact.
      const called = isEmail
        ? person.contactIds.map((value) => ({ type: 'contact' as const, value }))
        : points
      if (noContact === true && called.length > 0) await record('internal_dnc', called)
      await stopSending(tx, received, action)
      if (added.length > 0 && !providerResponds && !isEmail)
        await respond(tx, message, 'opt_out_confirmation')
      return
    }
    case 'wrong_number':
      await record('reassigned_number', points)
      return stopSending(tx, received, action)
    case 'opt_in':
      for (const point of points) await liftOptOut(tx, point, writtenAt)
      return
    case 'help':
      return providerResponds ? undefined : respondToHelp(tx, message)
    case 'review':
      return pauseAll(tx, received, action)
  }
}

/** What a message asks for. */
export const classify = (received: Received): Classified =>
  received.message.channel === 'EMAIL' ? classifyEmail(received.message) : classifyText(received)

function classifyText({ message, person, sender }: Received): Classified {
  const optedOut = person.held.some(
    ({ kind, channels }) => kind === 'opted_out' && channels.includes(sendChannels[message.channel]),
  )
  return classifyInbound(message.body ?? '', { optedOut, tollfree: sender.kind === 'tollfree' })
}

/**
 * Even a verified sender proves no more than the use of an address, so an email can stop messages but never start them.
 * Whether an address is wrong is for a person to decide. An opt-out anywhere in the first lines takes precedence. Of an
 * unverified sender, only an opt-out counts, and not from other channels.
 */
function classifyEmail(message: Message): Classified {
  const found = ownWords(message).map((words) => classifyInbound(words, { optedOut: false }))
  const optOuts = found.filter(({ action }) => action === 'opt_out')
  const optOut = optOuts.find(({ noContact }) => noContact) ?? optOuts[0]
  if (message.sender_verified === false)
    return { action: optOut === undefined ? 'none' : 'opt_out', match: optOut?.match ?? null }
  if (optOut !== undefined) return optOut
  const isForReview = found.some(({ action }) => action === 'wrong_number' || action === 'review')
  return { action: isForReview ? 'review' : 'none', match: null }
}

/**
 * Cancels what waits to be sent, except the confirmation of an opt-out and emails that are not marketing, and pauses
 * the AI, unless the sender is not verified.
 */
async function stopSending(tx: Tx, received: Received, reason: PauseReason): Promise<void> {
  const { points, message } = received
  for (const { type, value: to } of points)
    await (type === 'phone'
      ? cancelWaiting(
          tx,
          { to, channels: ['SMS', 'WHATSAPP'] },
          ({ kind }) => kind !== 'opt_out_confirmation',
        )
      : cancelWaiting(tx, { to, channels: ['EMAIL'] }, ({ message_class }) => message_class === 'marketing'))
  if (message.sender_verified !== false) await pauseAll(tx, received, reason)
}

const pauseAll = (tx: Tx, { points, person: { contactIds } }: Received, reason: PauseReason) =>
  pauseAiOf(tx, { contactIds, points }, reason)
