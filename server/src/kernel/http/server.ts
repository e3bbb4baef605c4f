import type { Socket } from 'node:net'
import fastify, {
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Runtime } from '../context.ts'
import { fairSlots } from '../slots.ts'
import { type Authentication, type Authenticator, type RateState, callerAddress } from './authentication.ts'
import { maxBodyBytes, parseBody } from './body.ts'
import { anyOrigin, isForAnyOrigin, isPreflight, preflightHeaders } from './cors.ts'
import type { Endpoint, Provide } from './endpoint.ts'
import {
  connectionError,
  errorHandler,
  newRequestId,
  rateHeaders,
  socketResponder,
} from './error-responses.ts'
import {
  MalformedRequest,
  MethodNotAllowed,
  MethodNotImplemented,
  RouteNotFound,
  UnsupportedMediaType,
} from './http-errors.ts'
import { addOtherMethods, normalizeMethod } from './methods.ts'
import type { RequestMetrics } from './metrics.ts'
import { type PlainRoute, addPlainRoutes } from './plain-route.ts'
import { authorize, routeHandler } from './route.ts'
import { type ServedRequest, servedRequest } from './served-request.ts'
import { unreadResponses } from './unread-responses.ts'

declare module 'fastify' {
  interface FastifyRequest {
    authentication: Authentication
    /** The text of the response, except of a read that succeeded. For the log. */
    sentText: string | undefined
    /** The address against which requests without a credential count; see `callerAddress`. */
    readonly address: string
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /**
     * The request is neither authenticated nor counted: health checks, and plain routes that count requests
     * themselves.
     */
    uncounted?: boolean
    /** The request counts against its address, whatever credential it has, because the route reads none. */
    byAddress?: boolean
    /** An address's remaining allowance, for a route that counts requests itself. */
    rateOf?: (address: string) => RateState
    /** Whether pages of any origin may call it, as they may call the whole API. */
    cors?: boolean
    /** The supported methods of the path. Set on the route that takes all other methods. */
    allowed?: readonly string[]
  }
}

export interface HttpOptions<D> {
  runtime: Runtime
  authenticator: Authenticator
  endpoints: readonly Endpoint<D>[]
  provide: Provide<D>
  /** The base of the API's paths: `/v1`. */
  base: string
  /** Paths outside the API. */
  routes: readonly PlainRoute[]
  metrics?: RequestMetrics
  /** Called for each authenticated request, after its response. */
  onServed?: (served: ServedRequest) => void
  /** How many proxies in front of the server are trusted to set X-Forwarded-For. */
  trustProxy: number
  /** Whether the public URL is https. If so, browsers are instructed to insist on it. */
  https: boolean
  /** How long a request may take to arrive, and how often to check that. */
  arrival?: { timeoutMs: number; checkMs: number }
}

const noSchemas = (): never => {
  throw new Error('Routes have no schemas of Fastify.')
}

/** Creates the HTTP server. It does not listen yet. */
export function createHttpServer<D>(options: HttpOptions<D>): FastifyInstance {
  const {
    runtime,
    authenticator,
    metrics,
    trustProxy,
    arrival = { timeoutMs: 30_000, checkMs: 5000 },
  } = options
  const handleError = errorHandler(runtime)
  const respond = socketResponder(runtime, authenticator)
  const addHeaders = standardHeaders(options)
  const app = fastify({
    logger: false,
    // Fastify validates and serializes nothing here. Otherwise it would load its compilers, which takes as long as adding all routes.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    bodyLimit: maxBodyBytes,
    genReqId: () => newRequestId(runtime),
    // As long as a URL can be, so that an id of any length gets its 404.
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl(request) {
      normalizeMethod(request)
      return originForm(request.url ?? '/')
    },
    requestTimeout: arrival.timeoutMs,
    // A peer that neither sends nor reads for this long is gone.
    connectionTimeout: 60_000,
    http: {
      requireHostHeader: false,
      // If the headers' limit were greater, Node would swap the two limits and apply the greater one to the body.
      headersTimeout: arrival.timeoutMs,
      connectionsCheckingInterval: arrival.checkMs,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => respond(socket, connectionError(error)),
    frameworkErrors: (error, request, reply) => {
      request.authentication = authenticator.countAnonymous(callerAddress(request.raw, trustProxy))
      addHeaders(reply as FastifyReply, request as FastifyRequest, request.routeOptions.config)
      handleError(error, request as FastifyRequest, reply as FastifyReply)
    },
  })
  app.decorateRequest('authentication')
  app.decorateRequest('sentText')
  app.decorateRequest('address', {
    getter(this: FastifyRequest) {
      return callerAddress(this.raw, trustProxy)
    },
  })
  app.setErrorHandler(handleError)
  // Node would reject an unknown expectation with its own message.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => respond(socket as Socket, MethodNotImplemented()))
  readBodies(app)
  app.addHook('onRequest', (request, reply) => {
    // Fastify makes this object at each access.
    const { config } = request.routeOptions
    addHeaders(reply, request, config)
    const { cors, allowed } = config
    if (cors && allowed !== undefined && request.method === 'OPTIONS' && isPreflight(request.headers))
      return reply.code(204).headers(preflightHeaders(allowed)).send()
    return enter(options, request, reply, config)
  })
  const { onServed } = options
  if (onServed !== undefined)
    app.addHook('onResponse', (request, reply, done) => {
      const served = servedRequest(request, reply)
      if (served !== undefined) onServed(served)
      done()
    })
  if (metrics !== undefined) {
    app.addHook('onResponse', (request, reply, done) => {
      metrics.observe(request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime)
      done()
    })
  }
  addRoutes(app, options)
  addPlainRoutes(app, runtime, options.routes)
  return app
}

/** The path and query of a request target, which may also be absolute or `*` (RFC 9112, 3.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const path = target === '*' ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, '')
  return `/${path}`
}

/** Adds the headers of every response, errors included. */
function standardHeaders({ base, https }: Pick<HttpOptions<never>, 'base' | 'https'>) {
  const everywhere = https ? { 'strict-transport-security': 'max-age=31536000' } : {}
  const ofApi = { ...everywhere, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  const apiPaths = `${base}/`
  return (reply: FastifyReply, { id, url, headers }: FastifyRequest, { cors }: FastifyContextConfig) => {
    const isApi = url.startsWith(apiPaths)
    reply.header('x-request-id', id).headers(isApi ? ofApi : everywhere)
    if ((isApi || cors === true) && isForAnyOrigin(headers)) reply.headers(anyOrigin)
  }
}

/** On every response of a workspace in test mode. */
const testModeHeader = 'gable-test-mode'

/** Authenticates, counts, and authorizes a request before its body is read. */
async function enter(
  { runtime, authenticator }: Pick<HttpOptions<never>, 'runtime' | 'authenticator'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { endpoint, uncounted, byAddress, allowed }: FastifyContextConfig,
): Promise<void> {
  if (!uncounted) {
    try {
      request.authentication = byAddress
        ? authenticator.countAnonymous(request.address)
        : await authenticator.authenticate(request, endpoint?.scope)
    } catch (error) {
      // The credential cannot be read right now, but the address can still be counted.
      request.authentication = authenticator.countAnonymous(request.address)
      throw error
    }
    reply.headers(rateHeaders(request.authentication.rate))
    const { principal } = request.authentication
    if (principal !== null) {
      const { testClocks, database } = runtime
      await testClocks.read(database.authenticator, principal.workspaceId)
      if (testClocks.aheadMs(principal.workspaceId) !== null) reply.header(testModeHeader, 'true')
    }
    assertAccepted(request, endpoint)
  }
  if (request.is404) throw RouteNotFound(request.url.split('?', 1)[0] ?? '')
  if (allowed !== undefined) throw MethodNotAllowed(allowed)
  if (endpoint !== undefined) authorize(endpoint, request.authentication)
}

function assertAccepted({ authentication, headers, raw }: FastifyRequest, endpoint?: Endpoint): void {
  const { rejection } = authentication
  // A public endpoint takes requests with any credential. Only the rate limit applies.
  const isPublic = endpoint?.scope === 'public'
  if (rejection !== undefined && !(isPublic && rejection.status === 401)) throw rejection
  if (headers.host === undefined && raw.httpVersion === '1.1')
    throw MalformedRequest('HTTP/1.1 requires a Host header.')
}

/** Parses JSON for endpoints that take a body. Ignores the body for others. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const { endpoint } = request.routeOptions.config
    const wanted = endpoint?.body !== undefined
    const isJson = /^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')
    try {
      if (wanted && !isJson && bytes.length > 0) throw UnsupportedMediaType()
      done(null, wanted ? parseBody(bytes as Buffer, endpoint.bodyLevels) : undefined)
    } catch (error) {
      done(error as Error)
    }
  })
}

/**
 * How many lists are read and written at once; see `fairSlots`. A page can take 50 MB. A list that waits for longer than
 * `listWaitMs` is a 503.
 */
const listsAtOnce = 16
const listWaitMs = 60_000

function addRoutes<D>(app: FastifyInstance, options: HttpOptions<D>): void {
  const { endpoints, base } = options
  const bounds = { unread: unreadResponses(), lists: fairSlots(listsAtOnce, listWaitMs) }
  const url = (path: string) => base + path.replaceAll(/\{(\w+)\}/g, ':$1')
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: url(endpoint.path),
      config: { endpoint },
      bodyLimit: endpoint.maxBodyBytes ?? maxBodyBytes,
      handler: routeHandler(options, endpoint, bounds),
    })
  }
  for (const [path, sharing] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const own = sharing.map((endpoint) => endpoint.method)
    addOtherMethods(app, url(path), own, { cors: true })
  }
}
