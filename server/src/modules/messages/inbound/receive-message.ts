import { createHash } from 'node:crypto'
import type { Ctx, Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { findPersons, reactionIn } from '../../compliance/public.ts'
import { type Point, findKnownForm, lockPersons, numberForms, toEmailAddress } from '../../contacts/public.ts'
import { findSender, recordChannels } from '../../senders/public.ts'
import { turnConversation } from '../conversations/conversation-queries.ts'
import { type MessagePlace, findEmailPlace } from '../email/find-email-place.ts'
import { InvitationResponded, MessageReceived } from '../events.ts'
import { findHolder } from '../find-holder.ts'
import { mediaFetches } from '../media/fetch-media.ts'
import { recordMedia, wordsOrFiles } from '../media/record-media.ts'
import { eventOf } from '../message-event.ts'
import { type Message, messageRecord } from '../message.ts'
import type { InboundMessage, ProviderAccount } from '../ports.ts'
import { findByProviderId, insertReported, listMessagesById, saveMessage } from '../queries.ts'
import { type PersonBehind, actOnWords, classify } from './act-on-words.ts'

/**
 * Records what a person wrote to a sender of this connection, publishes `message.received`, and does what the message
 * asks for, all in one transaction. Records each message once, however often it is reported. The transaction holds the
 * locks under which messages to the person begin, so no unwanted message begins after its commit. Ignores a message to
 * an address that is not a sender of this connection: others may use the same account.
 */
export const receiveMessage = (ctx: Ctx, account: ProviderAccount, reported: InboundMessage): Promise<void> =>
  ctx.transaction((tx) => receiveIn(tx, account, reported))

/** The same as `receiveMessage`, within the caller's transaction. */
export async function receiveIn(tx: Tx, account: ProviderAccount, reported: InboundMessage): Promise<void> {
  const forms = reported.from === null ? [] : pointsFrom(reported.channel, reported.from)
  const point = await findKnownForm(tx, forms)
  const seen = await findPlace(tx, account, reported, point)
  if (seen === undefined) return
  const withWhom = seen.thread?.contactId ?? null
  await lockPersons(tx, {
    contactIds: withWhom === null ? [] : [withWhom],
    points: pointsOf(point, forms, seen),
  })
  // The person of the conversation may have been erased before the locks were held.
  const place = reported.email === undefined ? seen : await findPlace(tx, account, reported, point)
  if (place === undefined) return
  const { sender, thread, respondsTo, automatic, isVerified } = place
  const points = pointsOf(point, forms, place)
  const person = await personBehind(tx, points)
  const at = tx.clock.now()
  const message: Message = {
    ...messageRecord.create({}, at),
    channel: recordChannels[reported.channel],
    direction: 'INBOUND',
    status: 'received',
    source: 'inbound',
    message_class: 'transactional',
    sender_id: sender.id,
    connection_id: account.id,
    from: point?.value ?? (reported.from === null ? null : storable(reported.from).slice(0, 254)),
    to: sender.address,
    subject: reported.subject === null ? null : storable(reported.subject),
    body: storable(wordsOrFiles(reported)),
    body_html: reported.bodyHtml === null ? null : storable(reported.bodyHtml),
    automatic,
    sender_verified: isVerified,
    reaction: reactionIn(reported.body) ?? null,
    reply_to_message_id: respondsTo,
    provider_message_id: providerIdOf(reported),
  }
  const before = thread?.contactId ?? null
  const holder = await findHolder(tx, { points, senderOf: async () => sender.id, before })
  message.contact_id = holder?.id ?? before
  if (!(await insertReported(tx, message)) && !(await insertNamesake(tx, message))) return
  recordFiles(tx, message, reported)
  const writtenAt = earlier(reported.receivedAt ?? at, at)
  await turn(tx, message, place, writtenAt)
  const received = { message, points, person, sender, writtenAt, ...reported }
  const found = points.length > 0 && !automatic ? await classify(tx, received) : undefined
  const asksFor = found === undefined || found.action === 'none' ? null : found.action
  const reaction = message.reaction?.emoji ?? null
  await tx.emit(MessageReceived, { ...eventOf(message), asks_for: asksFor, reaction })
  if (found !== undefined) await actOnWords(tx, received, found)
  const response = reported.email?.response
  if (response !== undefined && isVerified === true)
    await tx.emit(InvitationResponded, {
      id: message.id,
      contact_id: message.contact_id,
      appointment_id: response.uid,
      response: response.status,
    })
}

/** Where a message belongs; undefined if it came to no sender of this connection. */
async function findPlace(
  tx: Tx,
  account: ProviderAccount,
  reported: InboundMessage,
  point: Point | undefined,
): Promise<MessagePlace | undefined> {
  if (reported.email !== undefined)
    return findEmailPlace(tx, account, { ...reported, email: reported.email }, point)
  const to = pointsFrom(reported.channel, reported.to)[0]?.value ?? storable(reported.to)
  const sender = await findSender(tx, to, recordChannels[reported.channel])
  return sender?.connection_id === account.id
    ? { sender, thread: null, respondsTo: null, automatic: false, isVerified: null }
    : undefined
}

/**
 * The author's number, in all its forms, or address. If our token came back, also the address that the conversation is
 * with.
 */
function pointsOf(point: Point | undefined, forms: readonly Point[], { thread }: MessagePlace): Point[] {
  if (point === undefined) return []
  const own = [point, ...forms.filter(({ value }) => value !== point.value)]
  if (thread === null || !thread.isProven || thread.address === point.value) return own
  return [...own, { type: 'email', value: thread.address }]
}

/** A provider's message id as Gable stores it. */
export const providerIdOf = ({ providerMessageId }: Pick<InboundMessage, 'providerMessageId'>): string =>
  storable(providerMessageId).slice(0, 255)

/**
 * Adds an email with the Message-ID of another email, which some programs use more than once. Its ID here then also has a
 * hash of its author and text. Returns false for another copy of the same email, and for one whose record was erased.
 */
async function insertNamesake(tx: Tx, message: Message): Promise<boolean> {
  const { channel, connection_id, provider_message_id } = message
  if (channel !== 'EMAIL' || connection_id === null || provider_message_id === null) return false
  const id = await findByProviderId(tx, connection_id, provider_message_id)
  const [first] = id === undefined ? [] : await listMessagesById(tx, [id])
  if (first === undefined || first.erased_at !== null || contentOf(first) === contentOf(message)) return false
  const hash = createHash('sha256').update(contentOf(message)).digest('hex').slice(0, 16)
  message.provider_message_id = `${provider_message_id.slice(0, 230)} ${hash}`
  return insertReported(tx, message)
}

const contentOf = ({ from, body }: Message) => `${from} ${(body ?? '').replaceAll(/\s+/g, ' ').trim()}`

/**
 * Removes characters that a database cannot store or a screen cannot show. Even signed callbacks need this: a signature
 * proves who sent a text, not what is in it.
 */
export const storable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '')

function pointsFrom(channel: InboundMessage['channel'], text: string): Point[] {
  if (channel !== 'email') return numberForms(text).map((value) => ({ type: 'phone', value }))
  const value = toEmailAddress(text)
  return value === undefined ? [] : [{ type: 'email', value }]
}

async function personBehind(tx: Tx, points: readonly Point[]): Promise<PersonBehind> {
  const recipient = { points: [...points], contactId: null }
  const { contactIds, findHeld } = await findPersons({ db: tx, keys: tx.keys }, [recipient])
  return { contactIds, held: (await findHeld())(recipient) }
}

/** Records the files of a message that is new, and queues the job that fetches them. */
function recordFiles(tx: Tx, message: Message, reported: InboundMessage): void {
  message.media = recordMedia(tx, reported)
  if (message.media.length === 0) return
  const isPending = message.media.some(({ status }) => status === 'pending')
  message.media_due_at = isPending ? message.created_at : null
  saveMessage(tx, message.id, { media: message.media, media_due_at: message.media_due_at })
  if (isPending) mediaFetches.queue(tx, message.id)
}

async function turn(
  tx: Tx,
  message: Message,
  { thread, automatic, isVerified }: MessagePlace,
  at: Date,
): Promise<void> {
  const { id: messageId, sender_id: senderId, from, contact_id: contactId, channel } = message
  const address = thread?.address ?? from
  if (senderId === null || address === null) return
  message.conversation_id = await turnConversation(tx, {
    id: newId(at),
    senderId,
    channel,
    address,
    contactId,
    messageId,
    direction: 'INBOUND',
    at: at.toISOString(),
    opensWindow:
      !automatic && isVerified !== false && from !== null && (address === from || thread?.isProven === true),
    keepsSuggestion: isVerified === false,
  })
  saveMessage(tx, messageId, { conversation_id: message.conversation_id })
}

const earlier = (one: Date, other: Date) => (one < other ? one : other)
