import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { type Message, findMessage } from '../../messages/public.ts'
import { awaitReply, takeLostReplies } from './awaited-queries.ts'
import { enqueueReply } from './enqueue-reply.ts'
import { findPersonaFor } from './read-scene.ts'

/** What `message.received` says. */
export interface JustReceived {
  id: string
  contact_id: string | null
  channel: Message['channel']
  automatic: boolean
  asks_for: string | null
}

/** A job that has not begun so long after its time may be lost. */
const graceMs = 60_000

/** Has the AI respond to a message a little later. Several in a row get one response: the job of a conversation keeps its time. */
export async function queueReply(tx: Tx, { id, contact_id, channel, automatic, asks_for }: JustReceived) {
  if (contact_id === null || automatic || asks_for !== null) return
  const persona = await findPersonaFor(tx, { clock: tx.clock, directory: tx }, channel)
  const conversationId = persona && (await findMessage(tx, id))?.conversation_id
  if (persona === undefined || conversationId === undefined || conversationId === null) return
  const runAt = later(tx.clock.now(), persona.reply_delay * 1000)
  const awaited = { conversation_id: conversationId, message_id: id, persona_id: persona.id }
  awaitReply(tx, awaited, later(runAt, graceMs))
  enqueueReply(tx, conversationId, { key: conversationId, runAt })
}

/** Conversations of a workspace in one run. */
const perRun = 200

/** Queues again what a process has left undone that was killed. */
export const queueLostReplies = (ctx: Ctx): Promise<void> =>
  ctx.transaction(async (tx) => {
    const at = tx.clock.now()
    const lost = await takeLostReplies(tx, { at, again: later(at, graceMs), limit: perRun })
    for (const id of lost) enqueueReply(tx, id, { key: id })
  })
