import { type AddressInfo } from 'node:net'
import fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { House } from '../context.ts'
import { AppError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { KeyRing } from '../secrets.ts'
import {
  HeadersTooLarge,
  MalformedRequest,
  MethodNotAllowed,
  PayloadTooLarge,
  RouteNotFound,
  UnsupportedMediaType,
  UriTooLong,
  errorAnswer,
  publicError,
  rateHeaders,
} from './answer.ts'
import { maxBodyBytes, parseBody } from './body.ts'
import { type Endpoint, methods } from './endpoint.ts'
import type { RequestMetrics } from './metrics.ts'
import type { Admission, Door } from './principal.ts'
import { authorize, routeHandler } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    admission: Admission
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** Answers without the door: health checks, which nobody may be counted out of. */
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
export function createHttpServer({ house, ring, door, endpoints, base, metrics, trustProxy = false }: HttpOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    trustProxy,
    bodyLimit: maxBodyBytes,
    genReqId: () => `req_${newId(house.clock.now())}`,
    routerOptions: { maxParamLength: 400 },
    requestTimeout: 30_000,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      request.admission = door.countAnonymous(request.ip)
      answerError(error, request, reply)
    },
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) return
      const fault = error.code === 'HPE_HEADER_OVERFLOW' ? HeadersTooLarge() : MalformedRequest('This is not valid HTTP.')
      const requestId = `req_${newId(house.clock.now())}`
      const { rate } = door.countAnonymous((socket.address() as AddressInfo).address)
      const text = JSON.stringify(errorAnswer(fault, requestId).body)
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(text)),
        'x-request-id': requestId,
        connection: 'close',
        ...rateHeaders(rate),
      }
      const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.end(`HTTP/1.1 ${fault.status} ${error.code ?? ''}\r\n${head.join('')}\r\n${text}`)
    },
  })

  app.decorateRequest('admission')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parseBody(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    const { endpoint, uncounted } = request.routeOptions.config
    if (uncounted) return
    const { authorization } = request.headers
    request.admission =
      authorization === undefined
        ? door.countAnonymous(request.ip)
        : await door.admit(authorization, request.ip)
    reply.headers(rateHeaders(request.admission.rate))
    if (request.admission.refusal !== undefined) throw request.admission.refusal
    if (endpoint !== undefined) authorize(endpoint, request.admission.principal)
  })

  if (metrics !== undefined) {
    app.addHook('onResponse', (request, reply, done) => {
      metrics.observe(request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime)
      done()
    })
  }

  const answerError = (error: unknown, request: FastifyRequest, reply: Parameters<typeof send>[0]) => {
    const answer = publicError(fromFramework(error))
    if (answer.status >= 500) house.log.error({ err: error, requestId: request.id }, 'request failed')
    reply.header('x-request-id', request.id)
    if (request.admission !== undefined) reply.headers(rateHeaders(request.admission.rate))
    if (answer.body.headers !== undefined) reply.headers(answer.body.headers)
    send(reply, errorAnswer(answer, request.id))
  }
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request) => {
    throw RouteNotFound(request.url.split('?', 1)[0] ?? '')
  })

  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: base + fastifyPath(endpoint.path),
      config: { endpoint },
      handler: routeHandler(house, ring, endpoint),
    })
  }
  for (const [path, sharing] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const allowed = sharing.map((endpoint) => endpoint.method)
    app.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url: base + fastifyPath(path),
      // Thrown before a body is read: whatever it is, this path does not want it.
      onRequest: () => {
        throw MethodNotAllowed(allowed.join(', '))
      },
      handler: () => undefined,
    })
  }
  return app
}

const fastifyPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

const send = (
  reply: { code(status: number): { header(name: string, value: string): { send(text: string): unknown } } },
  { status, body }: ReturnType<typeof errorAnswer>,
) => reply.code(status).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))

/** Fastify's own refusals in our words. */
function fromFramework(error: unknown): unknown {
  if (error instanceof AppError) return error
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return PayloadTooLarge(maxBodyBytes)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return UnsupportedMediaType()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return MalformedRequest('The body is not as long as Content-Length says.')
    case 'FST_ERR_BAD_URL':
      return MalformedRequest('The address is not valid.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return UriTooLong()
    default:
      return error
  }
}

