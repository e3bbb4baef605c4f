import { orNotFound } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { custom, filters } from '#kernel/http/filters.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { text } from '#kernel/records/fields.ts'
import { boardFilters } from '../board/filter-queries.ts'
import { Board, readBoard } from '../board/read-board.ts'
import { findPipeline, listPipelines } from '../pipeline-queries.ts'
import { Pipeline, PipelineDraft, PipelinePatch } from '../pipeline.ts'
import { createPipeline, updatePipeline } from './save-pipeline.ts'

const tag = 'Pipelines'

/** Everyone's deals are in them, so those who work on deals don't change them. */
const write = 'settings:manage'

export const getPipelines = listEndpoint('GET /pipelines', {
  scope: 'deals:read',
  tag,
  summary: 'List pipelines with their stages',
  description:
    'Newest first, including archived pipelines. To display them in order, sort by `order_weight`.',
  item: Pipeline,
  rows: ({ db }, { page }) => listPipelines(db, page.keyset()),
})

export const postPipeline = endpoint('POST /pipelines', {
  scope: write,
  tag,
  summary: 'Create a pipeline',
  description:
    'The order of `stages` is that of the board. The `outcome` of a stage is the status of the deals that move into it.',
  body: PipelineDraft,
  responses: { 201: Pipeline },
  fields: true,
  handle: async (ctx, { body }) => created(await createPipeline(ctx, body)),
})

export const getPipeline = endpoint('GET /pipelines/{id}', {
  scope: 'deals:read',
  tag,
  summary: 'Retrieve a pipeline with its stages',
  description:
    'The stages are in the order of the board. For the deals in them, see `GET /pipelines/{id}/board`.',
  responses: { 200: Pipeline },
  fields: true,
  handle: async ({ db }, { params }) => ok(orNotFound(await findPipeline(db, params.id))),
})

export const patchPipeline = endpoint('PATCH /pipelines/{id}', {
  scope: write,
  tag,
  summary: 'Update a pipeline',
  description: '`stages` replaces all stages. Stages that you send with their `id` keep their deals.',
  body: PipelinePatch,
  responses: { 200: Pipeline },
  fields: true,
  errors: {
    404: 'The pipeline, or a stage that the body names, does not exist in this workspace.',
    409: '`version_conflict`: the pipeline has changed since the `version`; `stage_in_use`: the request would remove a stage that has deals, or change its outcome.',
  },
  handle: async (ctx, { params, body }) => ok(await updatePipeline(ctx, params.id, body)),
})

const boardQuery = filters({
  ...boardFilters,
  after: custom(
    text(
      500,
      'The `after` of a stage on the board. Returns the next deals of that stage. If it is unreadable, the list restarts.',
    ),
  ),
})

export const getBoard = endpoint('GET /pipelines/{id}/board', {
  scope: 'deals:read',
  tag,
  summary: "Show a pipeline's board",
  description:
    'For each stage, returns how many deals it has, their totals, and the first deals in order. To move a deal, use `PATCH /deals/{id}`.',
  query: boardQuery.query,
  responses: { 200: Board },
  handle: async ({ db }, { params, query }) => ok(await readBoard(db, params.id, query)),
})
