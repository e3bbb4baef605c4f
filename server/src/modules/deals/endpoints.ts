import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Removal } from '#kernel/schemas.ts'
import { searchTerms } from '../contacts/public.ts'
import { createDeal } from './create-deal.ts'
import { deleteDeal, restoreDeal } from './delete-deal.ts'
import { dealFilters, findDeal, listDeals, searchDeals } from './queries.ts'
import { Deal, DealDraft, DealPatch, presentDeal } from './schemas.ts'
import { updateDeal } from './update-deal.ts'

const errors = {
  404: 'The deal, or a record that the body names, does not exist in this workspace.',
  409: '`contact_erased`: a contact that the body names has been erased; `pipeline_archived`: the target pipeline is archived.',
}

export const getDeals = listEndpoint('GET /deals', {
  scope: 'deals:read',
  summary: 'List deals',
  description: 'Newest first. Omits deleted deals.',
  item: Deal,
  filters: dealFilters,
  async rows(ctx, { query, page }) {
    const terms = searchTerms(query.q ?? '')
    if (terms === null) return []
    return terms.length === 0
      ? listDeals(ctx.db, query, page)
      : searchDeals(ctx.searches(), query, terms, page)
  },
  present: presentDeal,
})

export const getDealCount = countEndpoint(getDeals)

export const postDeal = endpoint('POST /deals', {
  scope: 'deals:write',
  summary: 'Create a deal',
  description:
    'Adds the deal at the top of its stage. By default, that is the first open stage of the default pipeline.',
  body: DealDraft,
  responses: { 201: Deal },
  fields: true,
  errors,
  handle: async (ctx, { body }) => created(presentDeal(await createDeal(ctx, body))),
})

export const getDeal = endpoint('GET /deals/{id}', {
  scope: 'deals:read',
  summary: 'Retrieve a deal',
  description: 'Deleted deals are a 404 until they are restored.',
  responses: { 200: Deal },
  fields: true,
  handle: async ({ db }, { params }) => ok(presentDeal(orNotFound(await findDeal(db, params.id)))),
})

export const patchDeal = endpoint('PATCH /deals/{id}', {
  scope: 'deals:write',
  summary: 'Update a deal',
  description:
    'Can also move the deal to another stage or pipeline, or to another position in its stage. The status of the deal follows from its stage. Winning a deal fills in `close_date` and fixes the commission until you send it again.',
  body: DealPatch,
  responses: { 200: Deal },
  fields: true,
  errors,
  handle: async (ctx, { params, body }) => ok(presentDeal(await updateDeal(ctx, params.id, body))),
})

export const deleteDealById = endpoint('DELETE /deals/{id}', {
  scope: 'deals:write',
  summary: 'Delete a deal',
  description: 'You can restore it for 30 days.',
  responses: { 200: Removal },
  handle: async (ctx, { params }) => ok(await deleteDeal(ctx, params.id)),
})

export const postRestore = endpoint('POST /deals/{id}/restore', {
  scope: 'deals:write',
  summary: 'Restore a deleted deal',
  description: 'You can restore a deal for 30 days. A deal that is not deleted stays unchanged.',
  responses: { 200: Deal },
  fields: true,
  handle: async (ctx, { params }) => ok(presentDeal(await restoreDeal(ctx, params.id))),
})
