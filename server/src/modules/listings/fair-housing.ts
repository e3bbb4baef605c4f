import { contentRuleSet, scanFairHousing } from '../content/public.ts'
import { FairHousingReview } from './errors.ts'
import type { FairHousing } from './listing-parts.ts'
import { type Listing, isPublished } from './listing.ts'

type Reviewed = Pick<Listing, 'public_remarks' | 'status' | 'state' | 'fair_housing'>

/**
 * The fair-housing review of a listing's remarks. The previous review stands unless the remarks or the state change or
 * the listing goes public, so that an acknowledgment persists. Throws `fair_housing_review` if a new review of a public
 * listing has open flags.
 */
export function reviewOf(before: Reviewed | undefined, after: Omit<Reviewed, 'fair_housing'>): FairHousing {
  const known = before?.public_remarks === after.public_remarks ? before.fair_housing : undefined
  const goesPublic = isPublished(after) && (before === undefined || !isPublished(before))
  if (known !== undefined && before?.state === after.state && !goesPublic) return known
  const review = scanned(after, known)
  if (review.status === 'review' && isPublished(after)) throw FairHousingReview(review.flags)
  return review
}

/**
 * Applies the current rules, including those of the state if it is known. An acknowledgment of the same remarks covers
 * the flags that existed then.
 */
export function scanned(
  { public_remarks, state }: Pick<Listing, 'public_remarks' | 'state'>,
  known: FairHousing | undefined,
): FairHousing {
  const flags = scanFairHousing(public_remarks ?? '', { seniorHousing: true, state: state ?? undefined })
  const wasSeen = (flag: (typeof flags)[number]) =>
    known?.flags.some(
      ({ category, start, end }) => category === flag.category && start === flag.start && end === flag.end,
    )
  const acknowledged = flags.every(wasSeen) ? (known?.acknowledged ?? null) : null
  const status = acknowledged === null ? ('review' as const) : ('acknowledged' as const)
  return {
    status: flags.length === 0 ? 'clear' : status,
    flags,
    rule_set: contentRuleSet,
    acknowledged: flags.length === 0 ? null : acknowledged,
  }
}

/** The review with its flags acknowledged. */
export const acknowledgedBy = (
  review: FairHousing,
  acknowledgment: NonNullable<FairHousing['acknowledged']>,
): FairHousing =>
  review.status === 'review' ? { ...review, status: 'acknowledged', acknowledged: acknowledgment } : review
