import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Removal } from '#kernel/schemas.ts'
import { AcknowledgmentDraft, acknowledgeFlags } from './acknowledge-flags.ts'
import { BatchDraft, BatchResult, presentResults, validateBatch } from './batch.ts'
import { createListing } from './create-listing.ts'
import { deleteListing, restoreListing } from './delete-listing.ts'
import { Flags } from './listing-parts.ts'
import { listings, presentListing } from './listing.ts'
import { findListing, listListings, listingFilters } from './queries.ts'
import { saveRows } from './save-rows.ts'
import { updateListing } from './update-listing.ts'

const conflicts = {
  409: '`fair_housing_review`: the listing would be active or coming soon, but the rules flag words in its remarks (`flags`); `mls_number_taken`: another listing has the number; `contact_erased`: the seller has been erased.',
}
const conflictMembers = { 409: { flags: Type.Optional(Flags) } }
const ofAnother = 'the listing belongs to a member whose listings you can read but not change.'
const forbidden = { 403: `The credential lacks \`listings:write\`, or \`forbidden\`: ${ofAnother}` }

export const getListings = listEndpoint('GET /listings', {
  scope: 'listings:read',
  summary: 'List listings',
  description:
    "Returns the workspace's own listings, newest first. They belong to its members and offices; MLS listings are not included.",
  item: listings.Record,
  filters: listingFilters,
  rows: (ctx, { query, page }) => listListings(ctx.searches(), query, page),
  present: presentListing,
})

export const getListingCount = countEndpoint(getListings)

export const postListing = endpoint('POST /listings', {
  scope: 'listings:write',
  summary: 'Create a listing',
  description:
    'Gable checks `public_remarks` against the fair housing rules. A listing that is neither active nor coming soon is saved even if words are flagged.',
  body: listings.Draft,
  responses: { 201: listings.Record },
  errors: conflicts,
  errorMembers: conflictMembers,
  handle: async (ctx, { body }) => created(presentListing(await createListing(ctx, body))),
})

export const getListing = endpoint('GET /listings/{id}', {
  scope: 'listings:read',
  summary: 'Retrieve a listing',
  description: 'Listings of any status. Deleted listings are a 404 until they are restored.',
  responses: { 200: listings.Record },
  handle: async (ctx, { params }) => ok(presentListing(orNotFound(await findListing(ctx.db, params.id)))),
})

export const patchListing = endpoint('PATCH /listings/{id}', {
  scope: 'listings:write',
  summary: 'Update a listing',
  description:
    'Gable checks changed remarks against the fair housing rules again. To make sure that you do not overwrite a change that you have not seen, send `If-Match`.',
  body: listings.Patch,
  responses: { 200: listings.Record },
  errors: { ...forbidden, ...conflicts },
  errorMembers: conflictMembers,
  handle: async (ctx, { params, body }) => ok(presentListing(await updateListing(ctx, params.id, body))),
})

export const deleteListingEndpoint = endpoint('DELETE /listings/{id}', {
  scope: 'listings:write',
  summary: 'Delete a listing',
  description: 'You can restore it for 30 days.',
  responses: { 200: Removal },
  errors: forbidden,
  handle: async (ctx, { params }) => ok(await deleteListing(ctx, params.id)),
})

export const restoreListingEndpoint = endpoint('POST /listings/{id}/restore', {
  scope: 'listings:write',
  summary: 'Restore a deleted listing',
  description:
    'The listing comes back as it was when it was deleted. It is then in lists and searches again.',
  responses: { 200: listings.Record },
  errors: { 409: '`mls_number_taken`: another listing now has its MLS number.' },
  handle: async (ctx, { params }) => ok(presentListing(await restoreListing(ctx, params.id))),
})

export const acknowledgeEndpoint = endpoint('POST /listings/{id}/fair-housing-acknowledgment', {
  scope: 'listings:write',
  summary: 'Acknowledge fair housing flags',
  description:
    'A signed-in person states why the flagged remarks may stay. The listing can then become active or coming soon. If the remarks change, they need another acknowledgment.',
  body: AcknowledgmentDraft,
  recentSignIn: true,
  responses: { 200: listings.Record },
  handle: async (ctx, { params, body }) =>
    ok(presentListing(await acknowledgeFlags(ctx, params.id, orNotFound(ctx.memberId), body))),
})

export const postBatch = endpoint('POST /listings/batch', {
  scope: 'listings:write',
  summary: 'Create and update many listings',
  description:
    'Accepts up to 100 listings. Each row matches the listing with its `mls_number`, or else the listing at its street, unit, and ZIP code, or else creates a listing. Gable writes all valid rows together. `results` has one entry for each row, in order, and says why a row was not written. The status is 200 even if no row is valid. Repeating the request changes nothing.',
  body: BatchDraft,
  validateBody: validateBatch,
  responses: { 200: BatchResult },
  handle: async (ctx, { body }) => ok(presentResults(await saveRows(ctx, body.listings))),
})
