import type { Ctx, Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { type RecipientPerson, findPersons } from '../../compliance/public.ts'
import {
  type Point,
  listContactsById,
  lockPersons,
  toDialable,
  toEmailAddress,
} from '../../contacts/public.ts'
import { findSender, recordChannels } from '../../senders/public.ts'
import { MessageReceived } from '../events.ts'
import { eventOf } from '../message-event.ts'
import { type Message, messageRecord } from '../message.ts'
import type { InboundMessage, ProviderAccount } from '../ports.ts'
import { insertReported, saveMessage, turnConversation } from '../queries.ts'
import { actOnWords } from './act-on-words.ts'
import { findLastWrittenTo } from './queries.ts'

/**
 * Records what a person wrote to a sender of this connection, once however often it is reported, publishes `message.received`,
 * and does what it asks for, all in one transaction. It holds the locks under which messages to the person begin: after its
 * commit none begins that the person does not want. What came to an address that is no sender of ours is not recorded: others
 * may use the same account.
 */
export const receiveMessage = (ctx: Ctx, account: ProviderAccount, reported: InboundMessage): Promise<void> =>
  ctx.transaction(async (tx) => {
    const channel = recordChannels[reported.channel]
    const to = pointOf(reported.channel, reported.to)?.value ?? storable(reported.to)
    const sender = await findSender(tx, to, channel)
    if (sender?.connection_id !== account.id) return
    const point = reported.from === null ? undefined : pointOf(reported.channel, reported.from)
    if (point !== undefined) await lockPersons(tx, { contactIds: [], points: [point] })
    const person = await personBehind(tx, point)
    const at = tx.clock.now()
    const message: Message = {
      ...messageRecord.create({}, at),
      channel,
      direction: 'INBOUND',
      status: 'received',
      source: 'inbound',
      message_class: 'transactional',
      sender_id: sender.id,
      connection_id: account.id,
      from: point?.value ?? (reported.from === null ? null : storable(reported.from).slice(0, 254)),
      to: sender.address,
      subject: reported.subject === null ? null : storable(reported.subject),
      body: storable(reported.body),
      body_html: reported.bodyHtml === null ? null : storable(reported.bodyHtml),
      provider_message_id: providerIdOf(reported),
    }
    message.contact_id = await contactOf(tx, message, person.contactIds)
    if (!(await insertReported(tx, message))) return
    const writtenAt = earlier(reported.receivedAt ?? at, at)
    await turn(tx, message, writtenAt)
    await tx.emit(MessageReceived, eventOf(message))
    if (point !== undefined && channel !== 'EMAIL')
      await actOnWords(tx, { message, point, person, sender, writtenAt, ...reported })
  })

/** As a provider's id is kept. */
export const providerIdOf = ({ providerMessageId }: Pick<InboundMessage, 'providerMessageId'>): string =>
  storable(providerMessageId).slice(0, 255)

/** Without what a database or a screen cannot take. A signature says who sent a text, not what is in it. */
const storable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '')

function pointOf(channel: InboundMessage['channel'], text: string): Point | undefined {
  if (channel === 'email') {
    const value = toEmailAddress(text)
    return value === undefined ? undefined : { type: 'email', value }
  }
  const value = toDialable(text)
  return value === undefined ? undefined : { type: 'phone', value }
}

async function personBehind(tx: Tx, point: Point | undefined): Promise<RecipientPerson> {
  if (point === undefined) return { rows: [], contactIds: [] }
  const recipient = { points: [point], contactId: null }
  return (await findPersons({ db: tx, keys: tx.keys }, [recipient]))(recipient)
}

/** Of several contacts the one that this sender last wrote to, else the one that last changed. An unknown number has none. */
async function contactOf(tx: Tx, message: Message, contactIds: readonly string[]): Promise<string | null> {
  if (contactIds.length < 2) return contactIds[0] ?? null
  const writtenTo = await findLastWrittenTo(tx, message, contactIds)
  if (writtenTo !== undefined) return writtenTo
  const contacts = await listContactsById(tx, contactIds)
  return contacts.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))[0]?.id ?? null
}

async function turn(tx: Tx, message: Message, at: Date): Promise<void> {
  const { id: messageId, sender_id: senderId, from: address, contact_id: contactId, channel } = message
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
  })
  saveMessage(tx, messageId, { conversation_id: message.conversation_id })
}

const earlier = (one: Date, other: Date) => (one < other ? one : other)
