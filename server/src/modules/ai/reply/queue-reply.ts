import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { type Message, findMessage, isWithoutWords } from '../../messages/public.ts'
import { awaitReply } from './awaited-queries.ts'
import { findPersonaFor } from './read-scene.ts'
import { replies } from './replies.ts'

/** The data of `message.received`. */
export interface JustReceived {
  id: string
  contact_id: string | null
  channel: Message['channel']
  automatic: boolean
  sender_verified: boolean | null
  asks_for: string | null
  reaction: string | null
}

/** A job that has not started this long after its time may be lost. */
const graceMs = 60_000

/**
 * Queues an AI response after the persona's delay. Several messages in a row get one response: the conversation's job
 * keeps its original time.
 */
export async function queueReply(
  tx: Tx,
  { id, contact_id, channel, automatic, sender_verified, asks_for, reaction }: JustReceived,
) {
  if (tx.isLate) return
  if (contact_id === null || automatic || sender_verified === false || asks_for !== null) return
  if (reaction !== null) return
  const persona = await findPersonaFor(tx, { clock: tx.clock, directory: tx }, channel)
  const message = persona && (await findMessage(tx, id))
  if (message === undefined || isWithoutWords(message)) return
  const conversationId = message.conversation_id
  if (persona === undefined || conversationId === undefined || conversationId === null) return
  const runAt = later(tx.clock.now(), persona.reply_delay * 1000)
  const awaited = { conversation_id: conversationId, message_id: id, persona_id: persona.id }
  awaitReply(tx, awaited, later(runAt, graceMs))
  replies.queue(tx, conversationId, { key: conversationId, runAt })
}
