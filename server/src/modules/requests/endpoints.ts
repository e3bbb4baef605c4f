import { orNotFound } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { LoggedRequest, LoggedRequestWithBodies, presentRequest, requestFilters } from './logged-request.ts'
import { findRequest, listRequests } from './queries.ts'

const scope = 'webhooks:manage'

export const getRequests = listEndpoint('GET /requests', {
  scope,
  summary: 'List requests',
  description:
    'Lists the requests of all credentials of the workspace to the API, newest first: those of the last 30 days, except reads of this log. A key with `created_by_self` sees its own. A request appears within a second after its response. If a server is killed, its last second is missing.',
  item: LoggedRequest,
  filters: requestFilters,
  tail: ['created_at', 'method', 'status', 'ms', 'error_code', 'path'],
  rows: (ctx, { query, page }) => listRequests(ctx.searches(), query, page, ctx.clock.real.now()),
  present: presentRequest,
})

export const getRequest = endpoint('GET /requests/{id}', {
  scope,
  summary: 'Retrieve a request',
  description:
    'The `request_id` of an error, or of the header `X-Request-Id`, leads to its request, with or without `req_`. Of the bodies, the log keeps the structure, numbers, times, IDs, and values from lists: no text that may describe a person.',
  responses: { 200: LoggedRequestWithBodies },
  handle: async (ctx, { params }) => {
    const { request_body, response_body, ...row } = orNotFound(await findRequest(ctx.db, params.id))
    return ok({ ...presentRequest(row, ctx), request_body, response_body })
  },
})
