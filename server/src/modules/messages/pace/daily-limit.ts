import type { Ctx } from '#kernel/context.ts'
import { listSendersById } from '../../senders/public.ts'
import { findBucket } from './pace-queries.ts'
import { brandBucket, spentToday } from './pace.ts'

/** What is left of a brand's day, which has begun to be used. */
export interface UsedUp {
  left: number
  /** When the last of it was used. */
  since: string
}

/**
 * What is left of the daily limit that a sender shares with the others of its brand. Undefined without one, and while nothing of
 * it is used: a message that is larger than a whole day's limit leaves then.
 */
export async function findUsedUp({ db, clock }: Ctx, senderId: string): Promise<UsedUp | undefined> {
  const [sender] = await listSendersById(db, [senderId])
  const limit = sender?.brand_daily_limit ?? null
  const id = sender && brandBucket(sender)
  if (limit === null || id === undefined) return undefined
  const bucket = await findBucket(db, id, clock.real)
  const spent = spentToday(bucket)
  return bucket === undefined || spent === 0 ? undefined : { left: limit - spent, since: bucket.refilled_at }
}
