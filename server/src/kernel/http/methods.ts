import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig, FastifyInstance, RouteOptions } from 'fastify'

/** The methods that are routed. No path supports TRACE. */
const routed = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Maps all methods that are not routed to TRACE, so that every path rejects them too. */
export function normalizeMethod(request: IncomingMessage): void {
  if (!routed.includes(request.method ?? '')) request.method = 'TRACE'
}

/** Routes a path's unsupported methods to a 405. `enter` in server.ts throws it before the body is read. */
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
