import type { Tx } from '#kernel/context.ts'
import { type EmailAddress, type Point, toEmailAddress } from '../../contacts/public.ts'
import { type SenderRow, findSender, listSendersOfConnection } from '../../senders/public.ts'
import { findConversation } from '../conversations/conversation-queries.ts'
import type { Message } from '../message.ts'
import type { InboundEmail, InboundMessage, ProviderAccount } from '../ports.ts'
import { findMessageOfAttempt, listMessagesById } from '../queries.ts'
import { type AddressToken, readAddressToken, readMessageIdHeader } from './tokens.ts'

/** Where a received message belongs: its sender, and for an email its conversation. */
export interface MessagePlace {
  sender: SenderRow
  /** The conversation that an email continues. If null, the message goes to the conversation of its author and sender. */
  thread: Thread | null
  /** The message of that conversation to which an email responds: the nearest one that Gable sent. */
  respondsTo: string | null
  automatic: boolean
  /** Whether it is proven that its author wrote it. Null for a message that is not an email. */
  isVerified: boolean | null
}

interface Thread {
  conversationId: string
  /** The address that the conversation is with. */
  address: EmailAddress
  contactId: string | null
  /** Whether the email came to an address with our reply token. Only recipients of the conversation's messages have it. */
  isProven: boolean
}

/**
 * Finds the conversation of a received email. A reply or bounce token in an address that it was sent to comes first,
 * then the nearest message of ours that it responds to, then its author and the sender that it was sent to. The subject
 * does not count. Returns undefined for an email to no sender of this connection, and for our own mail.
 *
 * The author is verified by our mail server, by our reply token, or by the Message-ID of an email that we sent to them:
 * others have neither.
 */
export async function findEmailPlace(
  tx: Tx,
  account: ProviderAccount,
  { providerMessageId, email }: InboundMessage & { email: InboundEmail },
  author: Point | undefined,
): Promise<MessagePlace | undefined> {
  const { recipients, references } = email
  const owner = { keys: tx.keys, workspaceId: tx.workspaceId }
  const tokens = recipients.flatMap((one) => readAddressToken(owner, one) ?? [])
  const own = readMessageIdHeader(providerMessageId)
  if (own !== undefined && (await listMessagesById(tx, [own])).length > 0) return undefined
  // Only machines write to an envelope's sender address.
  const automatic = email.automatic || tokens.some(({ kind }) => kind === 'bounce')
  const ours = await listOurs(tx, references)
  const thread = (await byToken(tx, account, tokens)) ?? (await byReference(tx, account, ours))
  const sender =
    thread?.sender ??
    (await senderAmong(tx, account, [...tokens.map(plain), ...recipients])) ??
    (await senderOfCopy(tx, account, recipients))
  if (sender === undefined || sender.address === author?.value) return undefined
  const respondsTo = ours.find((one) => one.conversation_id === thread?.conversationId)?.id ?? null
  const isVerified =
    email.authentication === 'pass' ||
    thread?.isProven === true ||
    (author !== undefined && ours.some(({ to }) => to === author.value))
  return { sender, thread: thread ?? null, respondsTo, automatic, isVerified }
}

const plain = ({ address }: AddressToken) => address

type Found = (Thread & { sender: SenderRow }) | undefined

async function byToken(tx: Tx, account: ProviderAccount, tokens: readonly AddressToken[]): Promise<Found> {
  for (const token of tokens) {
    const id = token.kind === 'reply' ? token.conversationId : await conversationOf(tx, token.attemptId)
    const found = id === undefined ? undefined : await threadOf(tx, account, id, token.kind === 'reply')
    if (found !== undefined) return found
  }
  return undefined
}

async function conversationOf(tx: Tx, attemptId: string): Promise<string | undefined> {
  const id = await findMessageOfAttempt(tx, attemptId)
  const [message] = id === undefined ? [] : await listMessagesById(tx, [id])
  return message?.conversation_id ?? undefined
}

/** The messages of ours among an email's references, nearest first. */
async function listOurs(tx: Tx, references: readonly string[]): Promise<Message[]> {
  const ids = references.flatMap((one) => readMessageIdHeader(one) ?? [])
  const messages = new Map((await listMessagesById(tx, ids)).map((message) => [message.id, message]))
  return ids.flatMap((id) => messages.get(id) ?? []).filter(({ direction }) => direction === 'OUTBOUND')
}

async function byReference(tx: Tx, account: ProviderAccount, ours: readonly Message[]): Promise<Found> {
  for (const { conversation_id: id } of ours) {
    const found = id === null ? undefined : await threadOf(tx, account, id, false)
    if (found !== undefined) return found
  }
  return undefined
}

/** Undefined for a conversation of another channel or connection, and if the person has been erased. */
async function threadOf(tx: Tx, account: ProviderAccount, id: string, isProven: boolean): Promise<Found> {
  const conversation = await findConversation(tx, id)
  const address = conversation?.channel === 'EMAIL' ? toEmailAddress(conversation.address ?? '') : undefined
  const sender = conversation && (await findSender(tx, conversation.sender_id, 'EMAIL'))
  if (address === undefined || sender?.connection_id !== account.id) return undefined
  return { conversationId: id, sender, address, contactId: conversation?.contact_id ?? null, isProven }
}

/**
 * The sender whose mailbox this is, for an email that names no recipient of ours, because it came as a blind copy. One to
 * another address at the domain of a sender is not for a sender: the mailbox has several addresses.
 */
async function senderOfCopy(
  tx: Tx,
  { id, name }: ProviderAccount,
  recipients: readonly string[],
): Promise<SenderRow | undefined> {
  const senders = await listSendersOfConnection(tx, id)
  const domains = new Set(senders.map(({ address }) => domainOf(address)))
  if (recipients.some((one) => domains.has(domainOf(one)))) return undefined
  return senders.find(({ address }) => address === name.toLowerCase()) ?? senders[0]
}

/** The sender of this connection among the addresses, with or without what follows a plus sign in them. */
async function senderAmong(
  tx: Tx,
  account: ProviderAccount,
  addresses: readonly string[],
): Promise<SenderRow | undefined> {
  const known = addresses.flatMap((one) => toEmailAddress(one) ?? [])
  for (const address of new Set(known.flatMap((one) => [one, withoutTag(one)]))) {
    const sender = await findSender(tx, address, 'EMAIL')
    if (sender?.connection_id === account.id) return sender
  }
  return undefined
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

function withoutTag(address: string): string {
  const plus = address.indexOf('+')
  const at = address.indexOf('@', plus)
  return plus === -1 || at === -1 ? address : address.slice(0, plus) + address.slice(at)
}
