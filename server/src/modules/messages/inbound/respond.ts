import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { findComplianceSettings } from '../../compliance/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import { turnConversation } from '../conversations/conversation-queries.ts'
import { type Message, messageRecord } from '../message.ts'
import { insertMessage } from '../queries.ts'
import { queueMessage } from '../queue/queries.ts'
import { segmentsOf } from '../segments.ts'
import { countHelps } from './queries.ts'

const texts = {
  opt_out_confirmation: (name: string) =>
    `${name}: You will receive no more messages from us. Reply START to receive them again.`,
  /** Carriers require a response to HELP that names the sender and where to get help. */
  help: (name: string, support: string | null) =>
    `This is ${name}.${support === null ? '' : ` For help: ${support}.`} Reply STOP to receive no more messages.`,
}

/**
 * Carriers require a response to HELP and test it, perhaps several times. Beyond this limit, only machines ask, and two
 * machines could respond to each other forever.
 */
const maxHelps = 5
const helpsMs = 24 * 3_600_000

/** Responds to HELP, unless the conversation has had enough such responses lately. The transaction holds the person's locks. */
export async function respondToHelp(tx: Tx, received: Message): Promise<void> {
  const since = later(tx.clock.now(), -helpsMs)
  if ((await countHelps(tx, received.conversation_id, since)) < maxHelps) await respond(tx, received, 'help')
}

/** Queues a response that carriers require. The gates judge it when it is sent, like any message. */
export async function respond(tx: Tx, received: Message, kind: keyof typeof texts): Promise<void> {
  const at = tx.clock.now()
  const [workspace, { support_contact }] = await Promise.all([
    findWorkspace(tx, tx.workspaceId),
    findComplianceSettings(tx),
  ])
  const body = texts[kind](orNotFound(workspace).name, support_contact)
  const { channel, contact_id, sender_id, connection_id, conversation_id } = received
  const message: Message = {
    ...messageRecord.create({}, at),
    channel,
    contact_id,
    sender_id,
    connection_id,
    conversation_id,
    from: received.to,
    to: received.from,
    body,
    kind,
    message_class: 'transactional',
    purpose: 'reply',
    source: 'system',
    segments: channel === 'SMS' ? segmentsOf(body) : null,
    actor: tx.actor,
  }
  await turnConversation(tx, {
    id: newId(at),
    senderId: sender_id ?? '',
    channel,
    address: message.to ?? '',
    contactId: contact_id,
    messageId: message.id,
    direction: 'OUTBOUND',
    at: message.created_at,
  })
  insertMessage(tx, message)
  queueMessage(tx, message)
}
