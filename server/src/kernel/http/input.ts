import type { FastifyRequest } from 'fastify'
import { NotFound } from '../errors.ts'
import { isId } from '../ids.ts'
import type { Endpoint } from './endpoint.ts'
import { type Page, createPage, defaultLimit, readCursor, walkOf } from './paging.ts'
import { queryReader, querySchema } from './query-string.ts'
import { validator } from './validation.ts'

/** What a request asks, read by its endpoint's schemas. */
export interface RequestInput {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  page: Page
  /** The field mask, as sent. */
  fields: string | undefined
  /** Whether a cursor was sent that could not be followed. */
  cursorReset: boolean
}

interface QueryValues extends Record<string, unknown> {
  cursor?: string
  limit?: number
  fields?: string
}

/** Reads requests to an endpoint; throws ValidationFailed with every fault, and NotFound for what can be no id. */
export function inputReader(endpoint: Endpoint) {
  const readQuery = queryReader(querySchema(endpoint))
  const validateBody = endpoint.body === undefined ? undefined : validator(endpoint.body)

  return (request: FastifyRequest, workspaceId: string): RequestInput => {
    const [path = '', queryString = ''] = split(request.url)
    const { cursor, limit, fields, ...query } = readQuery(queryString) as QueryValues
    // A body that an endpoint does not take is passed over; one that it takes and that is absent is an empty object.
    const sent = request.body === undefined ? {} : request.body
    const body = validateBody === undefined ? undefined : sent
    validateBody?.(body)
    const params = request.params as Record<string, string>
    for (const name in params) if (!isId(params[name] ?? '')) throw NotFound()

    const walk = endpoint.list ? walkOf(workspaceId, path, query) : ''
    const before = cursor ? readCursor(cursor, walk) : null
    const page = createPage(before, limit ?? defaultLimit, walk)
    return { params, query, body, page, fields, cursorReset: Boolean(cursor) && before === null }
  }
}

function split(url: string): [string, string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}
