import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { NotFound } from '../errors.ts'
import { isId } from '../ids.ts'
import type { Endpoint } from './endpoint.ts'
import {
  type Page,
  createPage,
  defaultLimit,
  listKey,
  maxCounted,
  newestFirst,
  readCursor,
} from './paging.ts'
import { queryReader, querySchema } from './query-string.ts'
import { textReader } from './text-in.ts'
import { validator } from './validation.ts'

/** A request, parsed with its endpoint's schemas. */
export interface RequestInput {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  page: Page
  /** The field mask, as sent. */
  fields: string | undefined
  /** Whether the cursor was unreadable or stale. */
  cursorReset: boolean
}

interface QueryValues extends Record<string, unknown> {
  cursor?: string
  limit?: number
  fields?: string
  ids?: string[]
  updated_after?: string
}

/** For endpoints that do not return a list. */
export const noPage = createPage(null, defaultLimit, '', newestFirst)

/** Reads and validates a body. Throws `ValidationFailed`. */
export function bodyReader(endpoint: Endpoint): (sent: unknown) => unknown {
  const { body, method } = endpoint
  if (body === undefined) return () => undefined
  const validate = endpoint.validateBody ?? validator(body, shownFields(endpoint))
  const read = textReader(body, { isPatch: method === 'PATCH' })
  return (sent) => {
    const value = read(sent)
    validate(value)
    return value
  }
}

/**
 * Parses requests to an endpoint. Throws `ValidationFailed` with all issues of the query string or of the body, and
 * `NotFound` if a parameter is not an id.
 */
export function inputReader(endpoint: Endpoint) {
  const readQuery = queryReader(querySchema(endpoint))
  const order = endpoint.list ?? endpoint.counts?.list
  const readBody = bodyReader(endpoint)

  return (request: FastifyRequest, workspaceId: string | null): RequestInput => {
    const [path = '', queryString = ''] = split(request.url)
    const { cursor, limit, fields, ...rest } = readQuery(queryString) as QueryValues
    const { ids, updated_after, ...query } = rest
    // An endpoint without a body schema ignores the body. For one with a schema, an absent body is an empty object.
    const sent = request.body === undefined ? {} : request.body
    const body = readBody(sent)
    const params = request.params as Record<string, string>
    // A request ID leads to its request.
    for (const name in params) params[name] = (params[name] ?? '').replace(/^req_/, '')
    for (const name in params) if (!isId(params[name] ?? '')) throw NotFound()

    if (order === undefined) return { params, query, body, page: noPage, fields, cursorReset: false }
    const key = listKey(workspaceId, path, rest)
    const position = cursor ? readCursor(cursor, key, order) : null
    const size = limit ?? (endpoint.counts === undefined ? defaultLimit : maxCounted)
    const page = createPage(position, size, key, order, { ids, updated_after })
    return { params, query, body, page, fields, cursorReset: Boolean(cursor) && position === null }
  }
}

/** The fields of the record that the endpoint returns. */
const shownFields = ({ responses }: Endpoint) =>
  Object.values(responses).flatMap((schema) => Object.keys((schema as TObject).properties ?? {}))

function split(url: string): [string, string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}
