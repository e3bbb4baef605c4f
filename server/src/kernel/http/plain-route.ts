import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { House } from '../context.ts'
import type { AppError } from '../errors.ts'
import { MethodNotAllowed } from './answer.ts'
import { refusalOf } from './refusals.ts'

/** A request as a plain route sees it. */
export interface PlainRequest {
  /** As sent, without what stands behind the question mark. */
  readonly path: string
  /** What stands for the `:names` of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** What stands behind the question mark, as sent. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  /** As sent; empty where there is none. */
  readonly body: Buffer
  /** Of the peer, or of whom a trusted proxy names. */
  readonly address: string
}

export interface PlainAnswer {
  readonly status: number
  /** Several of a name in a list, such as cookies. */
  readonly headers: Record<string, string | string[]>
  readonly body: string
}

type Handle = (request: PlainRequest) => Promise<PlainAnswer>

/**
 * A path beside the API's table of endpoints: forms, pages, documents. The door reads no credential of it, and it answers
 * in words of its own what the server itself refuses.
 */
export interface PlainRoute {
  /** From the root: `/oauth/token`, `/people/:id`. */
  readonly path: string
  readonly methods: Partial<Record<'GET' | 'POST', Handle>>
  /** Bytes of a body at most. */
  readonly maxBodyBytes: number
  /** Counts by address, as requests without a credential are: whoever asks too often is refused before anything is read. */
  readonly counted?: boolean
  /** Turns an error into an answer: another method, a body too large, a database that is away, a fault. */
  refuse(error: AppError, requestId: string): PlainAnswer
}

const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Adds plain routes, in a scope of their own so that bodies and errors are read and told as they want it. */
export function addPlainRoutes(app: FastifyInstance, house: House, routes: readonly PlainRoute[]): void {
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
    for (const route of routes) {
      const config = route.counted === true ? { byAddress: true } : { uncounted: true }
      const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
        const refusal = refusalOf(house, error, request.id, route.maxBodyBytes)
        return answer(reply, route.refuse(refusal, request.id), refusal.body.headers)
      }
      for (const [method, handle] of Object.entries(route.methods)) {
        scope.route({
          method,
          url: route.path,
          config,
          bodyLimit: route.maxBodyBytes,
          errorHandler,
          handler: async (request, reply) => answer(reply, await handle(plain(request))),
        })
      }
      const own = Object.keys(route.methods)
      const allowed = own.includes('GET') ? [...own, 'HEAD'] : own
      scope.route({
        method: known.filter((method) => !allowed.includes(method)),
        url: route.path,
        config,
        errorHandler,
        // Before a body is read: whatever it is, this path does not want it.
        onRequest: async () => {
          throw MethodNotAllowed(allowed.join(', '))
        },
        handler: () => undefined,
      })
    }
    ready()
  })
}

function plain({ url, params, headers, body, ip }: FastifyRequest): PlainRequest {
  const at = url.indexOf('?')
  return {
    path: at < 0 ? url : url.slice(0, at),
    params: { ...(params as Record<string, string>) },
    query: at < 0 ? '' : url.slice(at + 1),
    headers,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    address: ip,
  }
}

const answer = (reply: FastifyReply, { status, headers, body }: PlainAnswer, more: object = {}) =>
  reply
    .code(status)
    .headers({ ...more, ...headers })
    .send(body)
