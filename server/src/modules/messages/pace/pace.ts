import type { Tx } from '#kernel/context.ts'
import type { SenderRow } from '../../senders/public.ts'
import { type Bucket, addBuckets, lockBuckets, saveBuckets } from './pace-queries.ts'

/** What a sender may begin now. */
export interface Pace {
  /**
   * Segments that the pace of the sender and of its campaign allow. One message may overdraw them; the next one then
   * waits longer.
   */
  now: number
  /**
   * Segments that are left of the brand's day. They are not overdrawn, except by a message that is larger than a whole
   * day's limit.
   */
  today: number
  /** Deducts the segments of messages that have begun. */
  spend(segments: number): void
}

type Limited = Pick<SenderRow, 'id' | 'pace' | 'campaign' | 'campaign_pace' | 'brand' | 'brand_daily_limit'>

/** A limit: either tokens that refill over time, up to what one second or one minute refills, or segments per day. */
interface Limit {
  id: string
  tokensOf(bucket: Bucket | undefined): number
}

const ofTime = (id: string, perSecond: number, seconds: number): Limit => ({
  id,
  tokensOf(bucket) {
    const most = Math.max(perSecond * seconds, 1)
    if (bucket === undefined) return perSecond * seconds
    const passed = (Date.parse(bucket.now) - Date.parse(bucket.refilled_at)) / 1000
    return Math.min(most, bucket.tokens + passed * perSecond)
  },
})

/**
 * Its bucket holds what has been spent on the day of `refilled_at`, as a negative number, so that a changed limit
 * counts at once.
 */
const ofDay = (id: string): Limit => ({ id, tokensOf: (bucket) => 0 - spentToday(bucket) })

/** How much of a day's limit has been used today. */
export const spentToday = (bucket: Bucket | undefined): number =>
  bucket !== undefined && pacificDay(new Date(bucket.refilled_at)) === pacificDay(new Date(bucket.now))
    ? 0 - bucket.tokens
    : 0

/** The bucket of a sender's daily limit. Undefined if it has none. */
export const brandBucket = ({ brand, brand_daily_limit: aDay }: Limited): string | undefined =>
  brand === null || aDay === null ? undefined : `brand ${brand}`

/** The day in Pacific Time. The daily limits of US carriers reset at midnight Pacific Time. */
export const pacificDay = (at: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO('America/Los_Angeles')
    .toPlainDate()
    .toString()

/**
 * Locks the buckets of a sender, its campaign, and its brand, in the order of their ids. Waits for no lock: returns
 * undefined if another worker holds one of them. So only one worker at a time begins messages of a sender, and of
 * senders that share a limit. PostgreSQL's clock refills the buckets.
 */
export async function lockPace(tx: Tx, sender: Limited): Promise<Pace | undefined> {
  const { campaign, campaign_pace: aMinute, brand_daily_limit: aDay } = sender
  const own = ofTime(sender.id, sender.pace, 1)
  const ofCampaign =
    campaign === null || aMinute === null ? undefined : ofTime(`campaign ${campaign}`, aMinute / 60, 60)
  const brand = brandBucket(sender)
  const ofBrand = brand === undefined ? undefined : ofDay(brand)
  const limits = [own, ofCampaign, ofBrand].filter((one) => one !== undefined)
  const buckets = new Map(
    (
      await lockBuckets(
        tx,
        limits.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  )
  const tokens = new Map(limits.map((one) => [one.id, one.tokensOf(buckets.get(one.id))]))
  const missing = [...tokens].filter(([id]) => !buckets.has(id))
  // A missing bucket means either the first message under this limit, or that another worker holds the bucket.
  if (missing.length > 0 && (await addBuckets(tx, missing)) < missing.length) return undefined
  // Otherwise it would not refill until that time.
  if ([...buckets.values()].some(({ ahead }) => ahead)) saveBuckets(tx, [...tokens])
  const left = ({ id }: Limit) => tokens.get(id) ?? 0
  return {
    now: Math.min(left(own), ofCampaign === undefined ? Infinity : left(ofCampaign)),
    today: ofBrand === undefined || aDay === null ? Infinity : aDay + left(ofBrand),
    spend: (segments) =>
      saveBuckets(
        tx,
        [...tokens].map(([id, before]) => [id, before - segments]),
      ),
  }
}
