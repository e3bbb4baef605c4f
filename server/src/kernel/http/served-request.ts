import type { FastifyReply, FastifyRequest } from 'fastify'
import { isId } from '../ids.ts'
import type { Principal } from './authentication.ts'
import type { Endpoint } from './endpoint.ts'

/** An authenticated request and its response, once it has been sent. */
export interface ServedRequest {
  requestId: string
  method: string
  path: string
  address: string
  principal: Principal
  endpoint: Endpoint | undefined
  status: number
  ms: number
  /** The request's body, if it is small. */
  body: unknown
  /** The response's body, if it is small and not the result of a read. */
  text: string | undefined
}

/** The longest body that an exchange contains, in bytes. */
const keptBytes = 8192

/** Bodies of signed-in people are not kept. */
export function servedRequest(request: FastifyRequest, reply: FastifyReply): ServedRequest | undefined {
  const { principal = null } = request.authentication ?? {}
  if (principal === null) return undefined
  const { config, url } = request.routeOptions
  const { endpoint } = config
  const isSession = principal.scheme === 'Session'
  const isSmall = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= keptBytes
  const { sentText } = request
  return {
    requestId: request.id,
    method: request.method,
    path: endpoint === undefined || url === undefined ? '/…' : pathOf(url, request),
    address: request.address,
    principal,
    endpoint,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
    body: isSession || !isSmall ? undefined : request.body,
    text: isSession || sentText === undefined || sentText.length > keptBytes ? undefined : sentText,
  }
}

/** With the IDs of the request. What is no ID may be the name of a person, so it is left out, as are paths of no endpoint. */
function pathOf(route: string, { url, params }: FastifyRequest): string {
  const values = params as Record<string, string>
  const path = url.split(/[?#]/, 1)[0] ?? ''
  if (!path.includes('%') && Object.values(values).every(isId)) return path
  return route.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name] ?? ''
    return isId(value) ? value : `{${name}}`
  })
}
