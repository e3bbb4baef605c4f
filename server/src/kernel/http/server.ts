import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { House } from '../context.ts'
import {
  MalformedRequest,
  MethodNotAllowed,
  RouteNotFound,
  UnsupportedMediaType,
  rateHeaders,
} from './answer.ts'
import { maxBodyBytes, parseBody } from './body.ts'
import { type Endpoint, methods } from './endpoint.ts'
import type { RequestMetrics } from './metrics.ts'
import { type PlainRoute, addPlainRoutes } from './plain-route.ts'
import type { Admission, Door } from './principal.ts'
import { errorHandler, newRequestId, socketErrorHandler } from './refusals.ts'
import { authorize, routeHandler } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    admission: Admission
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** Passes by the door: health checks, which nobody may be counted out of, and plain routes that count for themselves. */
    uncounted?: boolean
    /** Counted by address, whatever credential is sent: nothing here reads one. */
    byAddress?: boolean
  }
}

export interface HttpOptions {
  house: House
  door: Door
  endpoints: readonly Endpoint[]
  /** Where the API's paths begin: `/v1`. */
  base: string
  /** Paths beside the API. */
  routes: readonly PlainRoute[]
  metrics?: RequestMetrics
  /** How many proxies stand in front, whose X-Forwarded-For is believed. */
  trustProxy: number
}

/** The HTTP server, not yet listening. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const { house, door, metrics, trustProxy } = options
  const answerError = errorHandler(house)
  const app = fastify({
    logger: false,
    trustProxy: (_address, hop) => hop < trustProxy,
    bodyLimit: maxBodyBytes,
    genReqId: () => newRequestId(house),
    // As long as an address can be: what is no id is answered as such, however long.
    routerOptions: { maxParamLength: 16_384 },
    requestTimeout: 30_000,
    // A peer that neither sends nor reads for so long is gone.
    connectionTimeout: 60_000,
    http: { requireHostHeader: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: socketErrorHandler(house, door),
    frameworkErrors: (error, request, reply) => {
      request.admission = door.countAnonymous(request.ip)
      answerError(error, request as FastifyRequest, reply as FastifyReply)
    },
  })
  app.decorateRequest('admission')
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request) => {
    throw RouteNotFound(request.url.split('?', 1)[0] ?? '')
  })
  // An expectation that nobody knows, Node would refuse in its own words.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  readBodies(app)
  app.addHook('onRequest', (request, reply) => enter(door, request, reply))
  if (metrics !== undefined) {
    app.addHook('onResponse', (request, reply, done) => {
      metrics.observe(request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime)
      done()
    })
  }
  addRoutes(app, options)
  addPlainRoutes(app, house, options.routes)
  return app
}

/** The door: who it is, what is left of the rate, may they. Before any body is read. */
async function enter(door: Door, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('x-request-id', request.id)
  const { endpoint, uncounted, byAddress } = request.routeOptions.config
  if (uncounted) return
  const { authorization, host } = request.headers
  try {
    request.admission =
      authorization === undefined || byAddress === true
        ? door.countAnonymous(request.ip)
        : await door.admit(authorization, request.ip)
  } catch (error) {
    // The credential cannot be read right now; the address still can be counted.
    request.admission = door.countAnonymous(request.ip)
    throw error
  }
  const { rate, refusal, principal } = request.admission
  reply.headers(rateHeaders(rate))
  // What is public answers everybody, whatever credential is sent; only the rate holds for it too.
  const isPublic = endpoint?.scope === 'public'
  if (refusal !== undefined && !(isPublic && refusal.status === 401)) throw refusal
  if (host === undefined && request.raw.httpVersion === '1.1')
    throw MalformedRequest('HTTP/1.1 wants a Host header.')
  if (endpoint !== undefined) authorize(endpoint, principal)
}

/** Parses JSON where a body is wanted; passes over any where none is. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const wanted = request.routeOptions.config.endpoint?.body !== undefined
    const isJson = /^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')
    try {
      if (wanted && !isJson && bytes.length > 0) throw UnsupportedMediaType()
      done(null, wanted ? parseBody(bytes as Buffer) : undefined)
    } catch (error) {
      done(error as Error)
    }
  })
}

function addRoutes(app: FastifyInstance, { house, endpoints, base }: HttpOptions): void {
  const url = (path: string) => base + path.replaceAll(/\{(\w+)\}/g, ':$1')
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: url(endpoint.path),
      config: { endpoint },
      handler: routeHandler(house, endpoint),
    })
  }
  for (const [path, sharing] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const own: string[] = sharing.map((endpoint) => endpoint.method)
    const allowed = own.includes('GET') ? [...own, 'HEAD'] : own
    app.route({
      method: [...methods, 'HEAD', 'OPTIONS', 'TRACE'].filter((method) => !allowed.includes(method)),
      url: url(path),
      // Before a body is read: whatever it is, this path does not want it.
      onRequest: async () => {
        throw MethodNotAllowed(allowed.join(', '))
      },
      handler: () => undefined,
    })
  }
}
