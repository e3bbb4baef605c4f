import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Ctx, type House, createContext } from '../context.ts'
import { InsufficientScope, Unauthorized, errorAnswer } from './answer.ts'
import type { Answer, Endpoint } from './endpoint.ts'
import { answerOnce, assertKey } from './idempotency.ts'
import { inputReader } from './input.ts'
import { fieldMask } from './mask.ts'
import type { Principal } from './principal.ts'

/** Throws unless the principal may use the endpoint. */
export function authorize({ scope }: Endpoint, principal: Principal | null): void {
  if (scope === 'public') return
  if (principal === null)
    throw Unauthorized('Send a credential: Authorization: token <API key>, or Bearer <access token>.')
  if (scope !== 'any' && !principal.scopes.has(scope)) throw InsufficientScope(scope)
}

/** The way of a request behind the door: input, handler, mask, JSON; with an Idempotency-Key, once. */
export function routeHandler(house: House, endpoint: Endpoint) {
  const readInput = inputReader(endpoint)
  const route = `${endpoint.method} ${endpoint.path}`

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { principal } = request.admission
    const ctx = createContext(house, principal ?? nobody)
    const { fields, cursorReset, ...input } = readInput(request, ctx.workspaceId)
    if (cursorReset) reply.header('x-cursor-reset', 'true')
    reply.header('content-type', 'application/json; charset=utf-8')

    let prepared: unknown
    const prepare = endpoint.prepare && (async () => void (prepared = await endpoint.prepare?.(ctx, input)))
    const handle = (within: Ctx) => endpoint.handle(within, input, prepared)
    const write = (answer: Answer) => JSON.stringify(masked(endpoint, answer, fields))
    const key = endpoint.method === 'POST' ? request.headers['idempotency-key'] : undefined
    if (typeof key !== 'string' || principal === null) {
      await prepare?.()
      const answer = await handle(ctx)
      return reply.code(answer.status).send(write(answer))
    }

    assertKey(key)
    const attempt = {
      credentialId: principal.credentialId,
      key,
      request: JSON.stringify([route, input.params, input.query, fields, input.body]),
      subjects: Object.values(input.params),
    }
    const { status, text, replayed } = await answerOnce(house, ctx, attempt, {
      prepare,
      handle,
      answerOf: (error) => errorAnswer(error, request.id),
      write,
      seals: endpoint.answersSecret === true,
    })
    if (replayed) reply.header('idempotency-replayed', 'true')
    return reply.code(status).send(text)
  }
}

const nobody = {
  workspaceId: '',
  actor: { type: 'anonymous', id: null, name: '' },
  scopes: new Set<string>(),
}

function masked(endpoint: Endpoint, { status, body }: Answer, fields: string | undefined): object {
  if (!endpoint.fields || fields === undefined || status >= 400) return body
  const mask = fieldMask(fields)
  if (!endpoint.list) return mask(body)
  const { data, ...rest } = body as { data: object[] }
  return { data: data.map(mask), ...rest }
}
