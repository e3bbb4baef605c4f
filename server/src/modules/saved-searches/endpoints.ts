import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Removal } from '#kernel/schemas.ts'
import { listings } from '../listings/public.ts'
import { createSearch, maxSearches } from './create-search.ts'
import { removeSearch } from './delete-search.ts'
import { findMatches } from './find-listings.ts'
import { findSearch, listSearches, savedSearchFilters } from './queries.ts'
import { presentSavedSearch, savedSearches } from './saved-search.ts'
import { updateSearch } from './update-search.ts'

export const getSavedSearches = listEndpoint('GET /saved-searches', {
  scope: 'contacts:read',
  summary: 'List saved searches',
  description: 'The searches for which contacts get digests of new, cheaper, and returned listings.',
  item: savedSearches.Record,
  filters: savedSearchFilters,
  rows: (ctx, { query, page }) => listSearches(ctx.db, query, page),
  present: presentSavedSearch,
})

export const getSavedSearchCount = countEndpoint(getSavedSearches)

export const postSavedSearch = endpoint('POST /saved-searches', {
  scope: 'contacts:write',
  summary: 'Save a search for a contact',
  description: `The contact gets an email when matching listings are new, cheaper, or back on the market. The email passes the compliance gates as marketing. If they forbid it, Gable pauses the search. A contact can have at most ${maxSearches} saved searches.`,
  body: savedSearches.Draft,
  responses: { 201: savedSearches.Record },
  errors: {
    409: `\`contact_erased\`: the contact has been erased; \`saved_search_limit\`: the contact has ${maxSearches} saved searches.`,
  },
  handle: async (ctx, { body }) => created(presentSavedSearch(await createSearch(ctx, body))),
})

export const getSavedSearch = endpoint('GET /saved-searches/{id}', {
  scope: 'contacts:read',
  summary: 'Retrieve a saved search',
  description: 'The criteria, how often the contact gets a digest, and when the last one was sent.',
  responses: { 200: savedSearches.Record },
  handle: async (ctx, { params }) => ok(presentSavedSearch(orNotFound(await findSearch(ctx.db, params.id)))),
})

export const patchSavedSearch = endpoint('PATCH /saved-searches/{id}', {
  scope: 'contacts:write',
  summary: 'Update a saved search',
  description:
    '`active` pauses and resumes the search. Pausing also cancels a listing alert that is waiting to be sent. The first alert after the pause includes what was missed. `criteria` replaces all criteria.',
  body: savedSearches.Patch,
  responses: { 200: savedSearches.Record },
  handle: async (ctx, { params, body }) => ok(presentSavedSearch(await updateSearch(ctx, params.id, body))),
})

export const deleteSavedSearch = endpoint('DELETE /saved-searches/{id}', {
  scope: 'contacts:write',
  summary: 'Delete a saved search',
  description: 'You cannot restore it. A listing alert that is waiting to be sent is cancelled.',
  responses: { 200: Removal },
  handle: async (ctx, { params }) => ok(await removeSearch(ctx, params.id)),
})

const { data: Match } = listings.part(
  [
    'id',
    'list_price',
    'currency',
    'property_type',
    'street_number',
    'street_name',
    'unit_number',
    'city',
    'state',
    'postal_code',
    'bedrooms',
    'bathrooms_total',
    'living_area',
    'virtual_tour_url',
    'created_at',
    'updated_at',
  ],
  { title: 'MatchingListing' },
)
const shownNames = Object.keys(Match.properties) as (keyof typeof Match.properties)[]

export const getMatches = listEndpoint('GET /saved-searches/{id}/matches', {
  scope: 'contacts:read',
  summary: 'List the listings that match a saved search',
  description:
    'Returns all matching listings that are on the market now, as the emails show them, whether or not they have been sent.',
  item: Match,
  async rows(ctx, { params, page }) {
    const { criteria } = orNotFound(await findSearch(ctx.db, params.id))
    return findMatches(ctx.searches(), criteria, page)
  },
  present: (listing) => Object.fromEntries(shownNames.map((name) => [name, listing[name]])) as never,
})
