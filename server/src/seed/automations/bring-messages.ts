import { later } from '#kernel/clock.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { Actor } from '#kernel/events/journal.ts'
import { findMessage, listDue } from '../../modules/messages/public.ts'
import { findDefaultSender } from '../../modules/senders/public.ts'
import type { Random } from '../random.ts'
import type { Scene } from '../scene.ts'
import { arrive, writeBack } from '../texts.ts'

const replies: readonly (readonly [text: string, weight: number])[] = [
  ['Yes, tonight after 6 works.', 3],
  ['Thanks! Can you call me tomorrow morning?', 2],
  ['We are still looking, yes.', 2],
  ['STOP', 2],
]

/** The IDs of the senders that automations use. */
export type Senders = readonly string[]

export async function findSenders(scene: Scene): Promise<Senders> {
  const { db } = scene.as(carrier)
  const found = await Promise.all([findDefaultSender(db, 'SMS'), findDefaultSender(db, 'EMAIL')])
  return found.map((sender) => orNotFound(sender).id)
}

const carrier: Actor = { type: 'system', id: null, name: 'messages' }

/**
 * Delivers the messages that are due, except for a few that fail, and lets some recipients reply. Returns the number of
 * messages.
 */
export async function bringMessages(scene: Scene, random: Random, senders: Senders): Promise<number> {
  const ctx = scene.as(carrier)
  const due = await ctx.transaction((tx) =>
    Promise.all(senders.map((senderId) => listDue(tx, senderId, tx.clock.now(), 100))),
  )
  for (const { message_id } of due.flat()) {
    const { to, kind, channel } = orNotFound(await findMessage(ctx.db, message_id))
    await arrive(ctx, message_id, channel === 'SMS' && random.chance(0.03))
    if (channel === 'EMAIL' || kind === 'opt_out_confirmation' || !random.chance(0.3)) continue
    const reply = random.weighted(replies)
    const at = later(scene.now(), random.integer(2, 90) * 60_000)
    scene.agenda.add(at, () => writeBack(ctx, orNotFound(to), reply))
  }
  return due.flat().length
}
