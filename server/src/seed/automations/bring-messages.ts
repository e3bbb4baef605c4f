import { later } from '#kernel/clock.ts'
import { orNotFound } from '#kernel/errors.ts'
import { findMessage, listDue } from '../../modules/messages/public.ts'
import { findDefaultSender } from '../../modules/senders/public.ts'
import type { Random } from '../random.ts'
import type { Scene } from '../scene.ts'
import { arrive, writeBack } from '../texts.ts'

const replies: readonly (readonly [text: string, weight: number])[] = [
  ['Yes, tonight after 6 works.', 5],
  ['Thanks! Can you call me tomorrow morning?', 4],
  ['We are still looking, yes.', 3],
  ['STOP', 1],
]

/**
 * Delivers the messages that are due, except for a few that fail, and lets some recipients reply. Returns the number of
 * messages.
 */
export async function bringMessages(scene: Scene, random: Random): Promise<number> {
  const ctx = scene.as({ type: 'system', id: null, name: 'messages' })
  let brought = 0
  for (const channel of ['SMS', 'EMAIL'] as const) {
    const { id: senderId } = orNotFound(await findDefaultSender(ctx.db, channel))
    const due = await ctx.transaction((tx) => listDue(tx, senderId, tx.clock.now(), 100))
    for (const { message_id } of due) {
      brought++
      const { to, kind } = orNotFound(await findMessage(ctx.db, message_id))
      await arrive(ctx, message_id, channel === 'SMS' && random.chance(0.03))
      if (channel === 'EMAIL' || kind === 'opt_out_confirmation' || !random.chance(0.3)) continue
      const reply = random.weighted(replies)
      const at = later(scene.now(), random.integer(2, 90) * 60_000)
      scene.agenda.add(at, () => writeBack(ctx, orNotFound(to), reply))
    }
  }
  return brought
}
