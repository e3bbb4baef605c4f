import { Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { freeText } from '#kernel/records/fields.ts'
import { patchedListing, saveChanges } from './change-listing.ts'
import { RemarksChanged } from './errors.ts'
import { FairHousingAcknowledged } from './events.ts'
import { acknowledgedBy, scanned } from './fair-housing.ts'
import { type Listing, maxRemarks } from './listing.ts'
import { lockOwn } from './update-listing.ts'

export const AcknowledgmentDraft = Type.Object(
  {
    reason: { ...freeText(500, 'Why the flagged words express no preference and no limit.'), minLength: 1 },
    public_remarks: Type.Optional(
      freeText(
        maxRemarks,
        'The remarks that you acknowledge. By default the remarks of the listing. Other remarks are saved, so that you can change the remarks of an active listing.',
      ),
    ),
  },
  {
    title: 'AcknowledgmentDraft',
    additionalProperties: false,
    examples: [{ reason: 'The remark names the elementary school by its own slogan.' }],
  },
)

/**
 * Records that a member has reviewed the words that the rules flag in a listing's remarks, and why they may stay.
 * Changes nothing if the remarks have no flags or are already acknowledged. `seen` is the version that the member
 * reviewed; throws 409 `listing_changed` if it is outdated.
 */
export const acknowledgeFlags = (
  ctx: Ctx,
  id: string,
  memberId: string,
  { reason, public_remarks, seen }: { reason: string; public_remarks?: string | undefined; seen?: string },
): Promise<Listing> =>
  ctx.transaction(async (tx) => {
    const before = await lockOwn(tx, id)
    if (seen !== undefined && seen !== before.updated_at) throw RemarksChanged()
    const at = ctx.clock.now()
    const remarks = public_remarks ?? before.public_remarks
    const known = remarks === before.public_remarks ? before.fair_housing : undefined
    const review = scanned({ ...before, public_remarks: remarks }, known)
    const by = { type: 'member', id: memberId }
    const fair_housing = acknowledgedBy(review, { by, at: at.toISOString(), reason })
    const patched = patchedListing(before, { public_remarks: remarks, fair_housing }, at)
    if (patched === undefined) return before
    await saveChanges(tx, before, patched)
    const { flags, rule_set } = fair_housing
    if (review.status === 'review')
      await tx.emit(FairHousingAcknowledged, { id, by, reason, rule_set, flags })
    return patched.after
  })
