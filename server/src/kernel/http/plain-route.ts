import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../context.ts'
import { type AppError, orNotFound } from '../errors.ts'
import type { RateState } from './authentication.ts'
import { errorHandler as apiErrorHandler, publicError, rateHeaders } from './error-responses.ts'
import { addOtherMethods } from './methods.ts'
import { largeBodies, mayBeLarge } from './turns.ts'

/** A request as a plain route sees it. */
export interface PlainRequest {
  readonly method: string
  /** As sent, without the query string. */
  readonly path: string
  /** Decoded values of the `:names` in the path. */
  readonly params: Readonly<Record<string, string>>
  /** The query string as sent, without the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  /** As sent. Empty if there is none. */
  readonly body: Buffer
  /** The peer's address, or the address that a trusted proxy states. */
  readonly address: string
}

export interface PlainResponse {
  readonly status: number
  /** A list sets a header several times, such as Set-Cookie. */
  readonly headers: Record<string, string | string[]>
  /** A stream is sent as fast as it is read. If it ends with an error, the connection is reset. */
  readonly body: string | Buffer | Readable
}

export type Handle = (request: PlainRequest) => Promise<PlainResponse>

/** Decides before the body is read: returns the handler of the request, or throws. */
export interface Admission {
  admit(request: Omit<PlainRequest, 'body'>): Promise<Handle>
}

/**
 * A path outside the API's endpoints, such as a form, page, or document. The server does not read credentials for it.
 */
export interface PlainRoute {
  /** From the root: `/oauth/token`, `/people/:id`. */
  readonly path: string
  readonly methods: Partial<Record<'GET' | 'POST', Handle | Admission>>
  /** Maximum size of a body in bytes. By default, bodies are not accepted. */
  readonly maxBodyBytes?: number
  /**
   * Whether requests count, before the body is read, against the address's rate limit for requests without a
   * credential.
   */
  readonly counted?: boolean
  /**
   * For a route that counts requests itself: returns the address's remaining allowance, which every response has in
   * its rate headers.
   */
  readonly rateOf?: (address: string) => RateState
  /** Whether pages of any origin may call it, without cookies. */
  readonly cors?: boolean
  /** Converts an error to a response. By default, errors look as in the API. */
  readonly errorResponse?: (error: AppError, requestId: string) => PlainResponse
}

/** Adds plain routes in a separate Fastify scope, where bodies stay bytes and each route presents its own errors. */
export function addPlainRoutes(app: FastifyInstance, runtime: Runtime, routes: readonly PlainRoute[]): void {
  const enterLarge = largeBodies({ atOnce: 4, waiting: 100 })
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
    scope.addHook('onSend', async ({ routeOptions, address }, reply) => {
      const { rateOf } = routeOptions.config
      if (rateOf !== undefined && !reply.hasHeader('x-ratelimit-limit'))
        reply.headers(rateHeaders(rateOf(address)))
    })
    for (const route of routes) addPlainRoute(scope, runtime, route, enterLarge)
    ready()
  })
}

function addPlainRoute(
  app: FastifyInstance,
  runtime: Runtime,
  route: PlainRoute,
  enterLarge: ReturnType<typeof largeBodies>,
): void {
  const { path: url, methods, maxBodyBytes = 1, counted = false, cors = false, rateOf, errorResponse } = route
  const config = {
    ...(counted ? { byAddress: true } : { uncounted: true }),
    ...(rateOf === undefined ? {} : { rateOf }),
    cors,
  }
  const errorHandler =
    errorResponse === undefined
      ? apiErrorHandler(runtime)
      : (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
          const shown = publicError(runtime, error, request.id, maxBodyBytes)
          return send(reply, errorResponse(shown, request.id), shown.body.headers)
        }
  for (const [method, handle] of Object.entries(methods)) {
    const admitted = new WeakMap<FastifyRequest, Handle>()
    app.route({
      method,
      url,
      config,
      bodyLimit: maxBodyBytes,
      errorHandler,
      async onRequest(request, reply) {
        admitted.set(request, 'admit' in handle ? await handle.admit(headOf(request)) : handle)
        if (mayBeLarge(request.headers)) await enterLarge(reply.raw)
      },
      handler: async (request, reply) => send(reply, await orNotFound(admitted.get(request))(plain(request))),
    })
  }
  addOtherMethods(app, url, Object.keys(methods), config, errorHandler)
}

const plain = (request: FastifyRequest): PlainRequest => ({
  ...headOf(request),
  body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
})

function headOf({ method, url, params, headers, address }: FastifyRequest): Omit<PlainRequest, 'body'> {
  const at = url.indexOf('?')
  return {
    method,
    path: at < 0 ? url : url.slice(0, at),
    params: { ...(params as Record<string, string>) },
    query: at < 0 ? '' : url.slice(at + 1),
    headers,
    address,
  }
}

const send = (reply: FastifyReply, { status, headers, body }: PlainResponse, more: object = {}) =>
  reply
    .code(status)
    .headers({ ...more, ...headers })
    .send(body)
