import { Type } from 'typebox'
import { found } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
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
  409: '`fair_housing_review`: the listing would be active or coming soon, and the rules flag `flags` in its remarks; `mls_number_taken`: another listing has the number; `contact_erased`: the seller has been erased.',
}
const conflictMembers = { 409: { flags: Type.Optional(Flags) } }
const ofAnother = 'The listing belongs to a member out of reach, who may be read and not changed.'
const forbidden = { 403: `The credential lacks \`listings:write\`, or \`forbidden\`: ${ofAnother}` }

export const getListings = listEndpoint('GET /listings', {
  scope: 'listings:read',
  summary: 'List listings',
  description:
    "The workspace's own listings, newest first: those of its members and offices, and none of an MLS.",
  item: listings.Record,
  filters: listingFilters,
  rows: (ctx, { query, page }) => listListings(ctx.searches(), query, page),
  present: presentListing,
})

export const postListing = endpoint('POST /listings', {
  scope: 'listings:write',
  summary: 'Create a listing',
  description:
    'The rules of fair housing are applied to `public_remarks`. A listing that is neither active nor coming soon is saved with what they flag.',
  body: listings.Draft,
  responses: { 201: listings.Record },
  errors: conflicts,
  errorMembers: conflictMembers,
  handle: async (ctx, { body }) => created(presentListing(await createListing(ctx, body))),
})

export const getListing = endpoint('GET /listings/{id}', {
  scope: 'listings:read',
  summary: 'Retrieve a listing',
  responses: { 200: listings.Record },
  handle: async (ctx, { params }) => ok(presentListing(found(await findListing(ctx.db, params.id)))),
})

export const patchListing = endpoint('PATCH /listings/{id}', {
  scope: 'listings:write',
  summary: 'Update a listing',
  body: listings.Patch,
  responses: { 200: listings.Record },
  errors: { ...forbidden, ...conflicts },
  errorMembers: conflictMembers,
  handle: async (ctx, { params, body }) => ok(presentListing(await updateListing(ctx, params.id, body))),
})

export const deleteListingEndpoint = endpoint('DELETE /listings/{id}', {
  scope: 'listings:write',
  summary: 'Delete a listing',
  description: 'It can be restored for 30 days.',
  responses: { 200: Removal },
  errors: forbidden,
  handle: async (ctx, { params }) => ok(await deleteListing(ctx, params.id)),
})

export const restoreListingEndpoint = endpoint('POST /listings/{id}/restore', {
  scope: 'listings:write',
  summary: 'Restore a deleted listing',
  responses: { 200: listings.Record },
  errors: { 409: '`mls_number_taken`: another listing has its number by now.' },
  handle: async (ctx, { params }) => ok(presentListing(await restoreListing(ctx, params.id))),
})

export const acknowledgeEndpoint = endpoint('POST /listings/{id}/fair-housing-acknowledgment', {
  scope: 'listings:write',
  summary: 'Acknowledge what the fair-housing rules flag',
  description:
    'A person who is signed in states why the flagged remarks may stay. The listing can then be active or coming soon. Other remarks need another acknowledgment.',
  body: AcknowledgmentDraft,
  recentSignIn: true,
  responses: { 200: listings.Record },
  handle: async (ctx, { params, body }) =>
    ok(presentListing(await acknowledgeFlags(ctx, params.id, found(ctx.memberId), body))),
})

export const postBatch = endpoint('POST /listings/batch', {
  scope: 'listings:write',
  summary: 'Create and update many listings',
  description:
    'Takes up to 100 listings. Each is the one with its `mls_number`, else the one at its street, unit and ZIP, else a new one. All valid rows are written, together; `results` has one entry for each row, in the order of the rows, and says of the others why not. The status is 200 even if no row is valid. The same request again changes nothing.',
  body: BatchDraft,
  validateBody: validateBatch,
  responses: { 200: BatchResult },
  handle: async (ctx, { body }) => ok(presentResults(await saveRows(ctx, body.listings))),
})
