import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { countEndpoint, listEndpoint } from '#kernel/http/list-endpoint.ts'
import { findGeneration, generationFilters, listGenerations } from './generation-queries.ts'
import { GenerationShown } from './generation-record.ts'

/** Hides the proposal for a call from credentials without `calls:read`. */
const presentGeneration = (row: GenerationShown, { scopes }: Ctx): GenerationShown =>
  row.call_id === null || scopes.has('calls:read') ? row : { ...row, proposal: null }

export const getGenerations = listEndpoint('GET /generations', {
  scope: 'messages:read',
  summary: 'List AI generations',
  description:
    'Lists each time that Gable asked a language model to write to a contact or to summarize a call, newest first. Includes the prompt digest, the proposal, the checks, and the outcome.',
  item: GenerationShown,
  filters: generationFilters,
  rows: (ctx, { query, page }) => listGenerations(ctx.db, query, page),
  present: presentGeneration,
})

export const getGenerationCount = countEndpoint(getGenerations)

export const getGeneration = endpoint('GET /generations/{id}', {
  scope: 'messages:read',
  summary: 'Retrieve an AI generation',
  description:
    'A generation is one request to the language model: what it proposed, and what Gable or a member decided about it.',
  responses: { 200: GenerationShown },
  fields: true,
  handle: async (ctx, { params }) =>
    ok(presentGeneration(orNotFound(await findGeneration(ctx.db, params.id)), ctx)),
})
