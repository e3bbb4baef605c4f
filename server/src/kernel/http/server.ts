import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { House } from '../context.ts'
import type { KeyRing } from '../secrets.ts'
import { MethodNotAllowed, RouteNotFound, rateHeaders } from './answer.ts'
import { maxBodyBytes, parseBody } from './body.ts'
import { type Endpoint, methods } from './endpoint.ts'
import type { RequestMetrics } from './metrics.ts'
import type { Admission, Door } from './principal.ts'
import { errorHandler, newRequestId, socketErrorHandler } from './refusals.ts'
import { authorize, routeHandler } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    admission: Admission
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** Passes by the door: health checks, which nobody may be counted out of. */
    uncounted?: boolean
  }
}

export interface HttpOptions {
  house: House
  ring: KeyRing
  door: Door
  endpoints: readonly Endpoint[]
  /** Where the API's paths begin: `/v1`. */
  base: string
  metrics?: RequestMetrics
  /** Believe X-Forwarded-For of a proxy in front. */
  trustProxy?: boolean
}

/** The HTTP server, not yet listening. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const { house, door, metrics, trustProxy = false } = options
  const answerError = errorHandler(house)
  const app = fastify({
    logger: false,
    trustProxy,
    bodyLimit: maxBodyBytes,
    genReqId: () => newRequestId(house),
    routerOptions: { maxParamLength: 400 },
    requestTimeout: 30_000,
    exposeHeadRoutes: false,
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
  readJson(app)
  app.addHook('onRequest', (request, reply) => enter(door, request, reply))
  if (metrics !== undefined) {
    app.addHook('onResponse', (request, reply, done) => {
      metrics.observe(request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime)
      done()
    })
  }
  addRoutes(app, options)
  return app
}

/** The door: who it is, what is left of the rate, may they. Before any body is read. */
async function enter(door: Door, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('x-request-id', request.id)
  const { endpoint, uncounted } = request.routeOptions.config
  if (uncounted) return
  const { authorization } = request.headers
  request.admission =
    authorization === undefined
      ? door.countAnonymous(request.ip)
      : await door.admit(authorization, request.ip)
  const { rate, refusal, principal } = request.admission
  reply.headers(rateHeaders(rate))
  if (refusal !== undefined) throw refusal
  if (endpoint !== undefined) authorize(endpoint, principal)
}

function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parseBody(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function addRoutes(app: FastifyInstance, { house, ring, endpoints, base }: HttpOptions): void {
  const url = (path: string) => base + path.replaceAll(/\{(\w+)\}/g, ':$1')
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: url(endpoint.path),
      config: { endpoint },
      handler: routeHandler(house, ring, endpoint),
    })
  }
  for (const [path, sharing] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const allowed = sharing.map((endpoint) => endpoint.method)
    app.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url: url(path),
      // Before a body is read: whatever it is, this path does not want it.
      onRequest: async () => {
        throw MethodNotAllowed(allowed.join(', '))
      },
      handler: () => undefined,
    })
  }
}
