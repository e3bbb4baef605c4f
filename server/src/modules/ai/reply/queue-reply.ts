import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { type Message, findMessage } from '../../messages/public.ts'
import { enqueueReply } from '../jobs.ts'
import { findPersonaFor } from './read-scene.ts'

/** What `message.received` says. */
interface Received {
  id: string
  contact_id: string | null
  channel: Message['channel']
  automatic: boolean
  asks_for: string | null
}

/** Has the AI respond to a message a little later. Several in a row get one response: the job of a conversation keeps its time. */
export async function queueReply(tx: Tx, { id, contact_id, channel, automatic, asks_for }: Received) {
  if (contact_id === null || automatic || asks_for !== null) return
  const persona = await findPersonaFor(tx, { clock: tx.clock, directory: tx }, channel)
  const conversationId = persona && (await findMessage(tx, id))?.conversation_id
  if (persona === undefined || conversationId === undefined || conversationId === null) return
  const runAt = later(tx.clock.now(), persona.reply_delay * 1000)
  enqueueReply(tx, conversationId, { key: conversationId, runAt })
}
