export { createListing } from './create-listing.ts'
export type { ListingDraft } from './listing.ts'
export { findListing } from './queries.ts'
export { updateListing } from './update-listing.ts'
