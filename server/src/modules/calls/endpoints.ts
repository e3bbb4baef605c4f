import { found } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { callFilters, findCall, findTranscript, listCalls } from './queries.ts'
import { CallShown, CallWithTranscript, presentCall } from './schemas.ts'

export const getCalls = listEndpoint('GET /calls', {
  scope: 'calls:read',
  summary: 'List calls',
  description:
    'Newest first: what was placed, received, and blocked, by people and by the AI. The list has no transcripts.',
  item: CallShown,
  filters: callFilters,
  rows: (ctx, { query, page }) => listCalls(ctx.db, query, page),
  present: presentCall,
})

export const getCall = endpoint('GET /calls/{id}', {
  scope: 'calls:read',
  summary: 'Retrieve a call',
  description: 'With its transcript.',
  responses: { 200: CallWithTranscript },
  fields: true,
  handle: async (ctx, { params }) => {
    const call = found(await findCall(ctx.db, params.id))
    return ok({ ...presentCall(call, ctx), transcript: await findTranscript(ctx.db, call.id) })
  },
})
