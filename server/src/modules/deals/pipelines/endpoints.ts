import { Type } from 'typebox'
import { found } from '#kernel/errors.ts'
import { created, endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { Board, readBoard } from '../board/read-board.ts'
import { Pipeline, PipelineDraft, PipelinePatch } from './pipeline.ts'
import { findPipeline, listPipelines } from './queries.ts'
import { createPipeline, updatePipeline } from './save-pipeline.ts'

const tag = 'Pipelines'

export const getPipelines = listEndpoint('GET /pipelines', {
  scope: 'deals:read',
  tag,
  summary: 'List pipelines with their stages',
  description: 'Newest first, archived ones included. To show them, sort them by `order_weight`.',
  item: Pipeline,
  rows: ({ db }, { page }) => listPipelines(db, page.keyset()),
})

export const postPipeline = endpoint('POST /pipelines', {
  scope: 'deals:write',
  tag,
  summary: 'Create a pipeline',
  body: PipelineDraft,
  responses: { 201: Pipeline },
  fields: true,
  handle: async (ctx, { body }) => created(await createPipeline(ctx, body)),
})

export const getPipeline = endpoint('GET /pipelines/{id}', {
  scope: 'deals:read',
  tag,
  summary: 'Retrieve a pipeline with its stages',
  responses: { 200: Pipeline },
  fields: true,
  handle: async ({ db }, { params }) => ok(found(await findPipeline(db, params.id))),
})

export const patchPipeline = endpoint('PATCH /pipelines/{id}', {
  scope: 'deals:write',
  tag,
  summary: 'Update a pipeline',
  description: '`stages` replaces all stages at once; those known by their `id` keep their deals.',
  body: PipelinePatch,
  responses: { 200: Pipeline },
  fields: true,
  errors: {
    404: 'The pipeline, or a stage that the body names, does not exist in this workspace.',
    409: '`version_conflict`: the pipeline has changed since the `version`; `stage_in_use`: a stage with deals would be removed, or get another outcome.',
  },
  handle: async (ctx, { params, body }) => ok(await updatePipeline(ctx, params.id, body)),
})

export const getBoard = endpoint('GET /pipelines/{id}/board', {
  scope: 'deals:read',
  tag,
  summary: "Show a pipeline's board",
  description:
    'Of each stage, how many deals there are, what they sum up to, and the first of them in their order. `PATCH /deals/{id}` moves a deal.',
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'That of a stage on the board: returns the next deals of that stage. An unreadable one begins again.',
      }),
    ),
  }),
  responses: { 200: Board },
  handle: async ({ db }, { params, query }) => ok(await readBoard(db, params.id, query.after)),
})
