import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig, FastifyInstance, RouteOptions } from 'fastify'

/** The methods that are routed. No path has TRACE. */
const routed = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Makes TRACE stand for all methods that are not routed, so that every path rejects them too. */
export function normalizeMethod(request: IncomingMessage): void {
  if (!routed.includes(request.method ?? '')) request.method = 'TRACE'
}

/** Routes to 405 the methods that a path lacks; `enter` in server.ts throws it before a body is read. */
export function addOtherMethods(
  app: FastifyInstance,
  url: string,
  own: readonly string[],
  config: FastifyContextConfig,
  errorHandler?: RouteOptions['errorHandler'],
): void {
  const allowed = own.includes('GET') ? [...own, 'HEAD'] : own
  app.route({
    method: routed.filter((method) => !allowed.includes(method)),
    url,
    config: { ...config, allowed },
    ...(errorHandler === undefined ? {} : { errorHandler }),
    handler: () => undefined,
  })
}
