import type { Ctx } from '#kernel/context.ts'
import { liftOptOut, suppressIn } from '../../compliance/public.ts'
import { lockPersons, numberForms } from '../../contacts/public.ts'
import { findSender, recordChannels } from '../../senders/public.ts'
import type { Preference, ProviderAccount } from '../ports.ts'
import { cancelWaiting } from '../queue/cancel-waiting.ts'

/**
 * Records what a person chose in WhatsApp: no more marketing, or marketing again. The provider blocks marketing only, but
 * Gable then sends nothing at all on this channel. The end of the choice lifts nothing else, such as a STOP.
 */
export const recordPreference = (
  ctx: Ctx,
  account: ProviderAccount,
  { channel, from, to, wanted, at }: Preference,
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const sender = await findSender(tx, to, recordChannels[channel])
    if (sender?.connection_id !== account.id || channel === 'email') return
    const now = tx.clock.now()
    const since = at === null || at > now ? now : at
    const points = numberForms(from).map((value) => ({ type: 'phone' as const, value }))
    await lockPersons(tx, { contactIds: [], points })
    if (wanted) {
      for (const point of points)
        await liftOptOut(
          tx,
          point,
          since,
          ({ source, channels }) => source === 'carrier' && channels.length === 1,
        )
      return
    }
    await suppressIn(
      tx,
      points.map((subject) => ({
        subject,
        kind: 'opted_out',
        channels: [channel],
        source: 'carrier',
        since,
      })),
    )
    for (const { value } of points)
      await cancelWaiting(tx, { to: value, channels: [recordChannels[channel]] }, () => true)
  })
