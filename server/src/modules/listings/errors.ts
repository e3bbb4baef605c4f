import { defineError } from '#kernel/errors.ts'
import { mask } from '#kernel/masking/masker.ts'
import { type Flag, Flags } from './listing-parts.ts'

export const MlsNumberTaken = defineError('mls_number_taken', 409, (mlsNumber: string) => ({
  message: `Another listing of this workspace has the MLS number ${mlsNumber}.`,
}))

export const FairHousingReview = defineError('fair_housing_review', 409, (flags: Flag[]) => ({
  message:
    'The fair housing rules flag words in public_remarks. Change the words, or have a signed-in person acknowledge them, before the listing becomes active or coming soon.',
  more: { flags: mask(Flags, flags) },
}))

export const RemarksChanged = defineError('listing_changed', 409, () => ({
  message: 'The listing has changed since you read it. Read it again.',
}))

export const ListingOfAnother = defineError('forbidden', 403, () => ({
  message: 'The listing belongs to another member. You can read it but not change it.',
}))
