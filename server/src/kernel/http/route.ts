import type { FastifyReply, FastifyRequest } from 'fastify'
import { type House, createContext } from '../context.ts'
import { type AppError, NotFound } from '../errors.ts'
import { isId } from '../ids.ts'
import type { KeyRing } from '../secrets.ts'
import { InsufficientScope, Unauthorized, errorAnswer } from './answer.ts'
import type { Answer, Endpoint } from './endpoint.ts'
import { answerOnce, assertKey } from './idempotency.ts'
import { fieldMask } from './mask.ts'
import { createPage, defaultLimit, readCursor, walkOf } from './paging.ts'
import type { Principal } from './principal.ts'
import { queryReader, querySchema } from './query-string.ts'
import { validator } from './validation.ts'

/** Throws unless the principal may use the endpoint. */
export function authorize({ scope }: Endpoint, principal: Principal | null): void {
  if (scope === 'public') return
  if (principal === null) throw Unauthorized('Send a credential: Authorization: token <API key>.')
  if (scope !== 'any' && !principal.scopes.has(scope)) throw InsufficientScope(scope)
}

/** The way of a request behind the door: validation, handler, mask, JSON. */
export function routeHandler(house: House, ring: KeyRing, endpoint: Endpoint) {
  const readQuery = queryReader(querySchema(endpoint))
  const validateBody = endpoint.body === undefined ? undefined : validator(endpoint.body)
  const route = `${endpoint.method} ${endpoint.path}`

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { principal } = request.admission
    const { cursor, limit, fields, ...query } = readQuery(queryStringOf(request.url)) as QueryValues
    // A body that an endpoint does not take is passed over; one that it takes and that is absent is an empty object.
    const sent = request.body === undefined ? {} : request.body
    const body = validateBody === undefined ? undefined : sent
    validateBody?.(body)
    const params = request.params as Record<string, string>
    for (const name in params) if (!isId(params[name] ?? '')) throw NotFound()

    const identity = principal ?? nobody
    const walk = endpoint.list
      ? walkOf(identity.workspaceId, request.url.split('?', 1)[0] ?? route, query)
      : ''
    const before = cursor === undefined || cursor === '' ? null : readCursor(cursor, walk)
    if (cursor !== undefined && cursor !== '' && before === null) reply.header('x-cursor-reset', 'true')
    const page = createPage(before, limit ?? defaultLimit, walk)

    const mask = fieldMask(fields)
    const write = (answer: Answer) =>
      JSON.stringify(endpoint.fields ? masked(answer, mask, endpoint.list) : answer.body)
    const ctx = createContext(house, identity)
    const handle = (within: typeof ctx) => endpoint.handle(within, { params, query, body, page })
    reply.header('content-type', 'application/json; charset=utf-8')

    const key = request.headers['idempotency-key']
    if (endpoint.method !== 'POST' || typeof key !== 'string' || principal === null) {
      const answer = await handle(ctx)
      return reply.code(answer.status).send(write(answer))
    }
    assertKey(key)
    const attempt = {
      credentialId: principal.credentialId,
      key,
      request: JSON.stringify([route, params, request.url.split('?')[1], body]),
      subjects: Object.values(params),
    }
    const answerOf = (error: AppError) => errorAnswer(error, request.id)
    const { status, text, replayed } = await answerOnce(house, ring, ctx, attempt, {
      handle,
      answerOf,
      write,
    })
    if (replayed) reply.header('idempotency-replayed', 'true')
    return reply.code(status).send(text)
  }
}

interface QueryValues extends Record<string, unknown> {
  cursor?: string
  limit?: number
  fields?: string
}

const nobody = {
  workspaceId: '',
  actor: { type: 'anonymous', id: null, name: '' },
  scopes: new Set<string>(),
}

const queryStringOf = (url: string) => {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

function masked({ status, body }: Answer, mask: (record: object) => object, list = false): object {
  if (status >= 400) return body
  if (!list) return mask(body)
  const { data, ...rest } = body as { data: object[] }
  return { data: data.map(mask), ...rest }
}
