import type { Tx } from '#kernel/context.ts'
import {
  type Classified,
  type Subject,
  type SuppressionKind,
  type SuppressionRow,
  classifyInbound,
  findComplianceSettings,
  liftOptOut,
  mayAsk,
  ownWords,
  suppressIn,
} from '../../compliance/public.ts'
import { type PauseReason, type Point, pauseAiOf } from '../../contacts/public.ts'
import { type SenderRow, sendChannels } from '../../senders/public.ts'
import { MessageClassified } from '../events.ts'
import type { Message } from '../message.ts'
import type { InboundMessage } from '../ports.ts'
import { cancelWaiting } from '../queue/cancel-waiting.ts'
import { listOurTexts } from './queries.ts'
import { respond, respondToHelp } from './respond.ts'

/** The contacts behind a number or address, and the suppressions against them. */
export interface PersonBehind {
  contactIds: readonly string[]
  held: readonly SuppressionRow[]
}

/** A message that a person wrote, and that person. The transaction holds the person's locks. */
export interface Received extends Pick<InboundMessage, 'asked' | 'tapped'> {
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
      if (added.length > 0 && !providerResponds && !isEmail && !tx.isLate)
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
      return providerResponds || tx.isLate ? undefined : respondToHelp(tx, message)
    case 'review':
      return pauseAll(tx, received, action)
  }
}

/**
 * What a message asks for. What the provider says comes first. Of the words, those that quote a text of ours to the
 * person do not count, nor do the words of a button that mean something else elsewhere.
 */
export async function classify(tx: Tx, received: Received): Promise<Classified> {
  const { message, asked, tapped } = received
  if (asked !== undefined) return { action: asked, match: 'exact' }
  const words = wordsOf(message)
  if (tapped === true && isOrdinaryButton(words)) return none
  const ours = mayAsk(words) ? await findOurs(tx, received) : []
  return message.channel === 'EMAIL'
    ? classifyEmail(message, classifyInbound(words, { optedOut: false, ours }))
    : classifyInbound(words, { ...circumstancesOf(received), ours })
}

const none: Classified = { action: 'none', match: null }

/** Buttons such as `Cancel` on the reminder of a showing. `Stop promotions` is not one of them. */
const isOrdinaryButton = (words: string): boolean =>
  /^(?:cancel|cancelar|end|quit|remove|revoke|para|parar|info|yes|no|start|help|ayuda)$/i.test(words.trim())

const circumstancesOf = ({ message, person, sender }: Received) => ({
  optedOut: person.held.some(
    ({ kind, channels }) => kind === 'opted_out' && channels.includes(sendChannels[message.channel]),
  ),
  tollfree: sender.kind === 'tollfree',
})

/** The body; of an email whose author wrote none, the subject, unless it is that of a response or a forwarded email. */
function wordsOf({ channel, subject, body }: Message): string {
  if (channel !== 'EMAIL' || ownWords(body ?? '').trim() !== '') return body ?? ''
  return subject === null || isResponse.test(subject) ? '' : subject
}

const isResponse = /^\s*(?:re|aw|sv|antw|rv|tr|fwd?|wg)\s*:/i

/** Our texts to the person, and the footer of our marketing email. */
async function findOurs(tx: Tx, { message, points }: Received): Promise<string[]> {
  const addresses = points.map(({ value }) => value)
  const [texts, { postal_address }] = await Promise.all([
    listOurTexts(tx, { addresses, conversationId: message.conversation_id }),
    findComplianceSettings(tx),
  ])
  return [...texts, `${postal_address ?? ''}\nUnsubscribe: https://`]
}

/**
 * Even a verified sender proves no more than the use of an address, so an email can stop messages but never start them.
 * Whether an address is wrong is for a person to decide. Of an unverified sender, only an opt-out counts, and not from
 * other channels.
 */
function classifyEmail({ sender_verified }: Message, found: Classified): Classified {
  const { action, match } = found
  if (sender_verified === false) return action === 'opt_out' ? { action, match } : none
  if (action === 'opt_out') return found
  return action === 'wrong_number' || action === 'review' ? { action: 'review', match: null } : none
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
