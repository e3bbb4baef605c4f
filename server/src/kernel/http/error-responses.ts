import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../context.ts'
import { AppError, maxIssues } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Authenticator, Principal, RateState } from './authentication.ts'
import { maxBodyBytes } from './body.ts'
import type { Response } from './endpoint.ts'
import {
  HeadersTooLarge,
  InsufficientScope,
  Internal,
  MalformedRequest,
  MethodNotImplemented,
  PayloadTooLarge,
  RequestTimeout,
  UnsupportedMediaType,
} from './http-errors.ts'

export const newRequestId = ({ clock }: Runtime) => `req_${newId(clock.now())}`

/**
 * The error that the caller sees: the error itself if it is an `AppError`, a 4xx if the framework rejected the
 * request, and otherwise `Internal`, which reveals nothing about the cause. Logs every 5xx.
 */
export function publicError(
  { log }: Runtime,
  error: unknown,
  requestId: string,
  maxBytes = maxBodyBytes,
): AppError {
  const shown = error instanceof AppError ? error : (frameworkError(error, maxBytes) ?? Internal())
  if (shown.status >= 500) log.error({ err: error, requestId }, 'request failed')
  return shown
}

/** Fastify's errors have a status. If the status has no error of its own here, its class decides. */
function frameworkError(error: unknown, maxBytes: number): AppError | undefined {
  if (!(error instanceof Error)) return undefined
  const { statusCode = 500 } = error as { statusCode?: number }
  if (statusCode === 413) return PayloadTooLarge(maxBytes)
  if (statusCode === 415) return UnsupportedMediaType()
  return statusCode >= 400 && statusCode < 500 ? MalformedRequest(error.message) : undefined
}

/** The response of every API error. `origin`: the server's public URL; its page on errors has a row for each code. */
export function errorResponseOf(
  { code, status, body }: AppError,
  requestId: string,
  origin: string,
): Response {
  const { message, reason, details, more } = body
  return {
    status,
    body: {
      error: {
        code,
        message,
        ...(reason === undefined ? {} : { reason }),
        ...(details === undefined ? {} : { details: details.slice(0, maxIssues) }),
        ...more,
        request_id: requestId,
        doc_url: `${origin}/docs/errors#${code}`,
      },
    },
  }
}

export const rateHeaders = ({ limit, remaining, resetAt }: RateState) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetAt),
})

/** Responds to any error in an API request. */
export const errorHandler =
  (runtime: Runtime) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const shown = publicError(runtime, error, request.id, request.routeOptions.config.endpoint?.maxBodyBytes)
    const { status, body } = errorResponseOf(shown, request.id, runtime.origin())
    const text = JSON.stringify(body)
    request.sentText = text
    return reply
      .code(status)
      .headers({
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': request.id,
        ...(request.authentication === undefined ? {} : rateHeaders(request.authentication.rate)),
        ...shown.body.headers,
        ...challengeOf(request.authentication?.principal, shown),
      })
      .send(text)
  }

/** A Bearer token that lacks a scope gets a challenge that names the scope (RFC 6750, 3). */
function challengeOf(principal: Principal | null | undefined, { code, body }: AppError) {
  if (principal?.scheme !== 'Bearer' || code !== InsufficientScope.code) return {}
  const scope = body.details?.find(({ path }) => path === 'scope')?.message ?? ''
  return { 'www-authenticate': `Bearer realm="gable", error="${code}", scope="${scope}"` }
}

/** Writes an error to a socket that has no request to respond to, and closes it. */
export type SocketResponder = (socket: Socket, error: AppError) => void

/** How long a peer may take to close its side. */
const closeMs = 1000

export const socketResponder =
  (runtime: Runtime, authenticator: Authenticator): SocketResponder =>
  (socket, error) => {
    if (!socket.writable) return
    const requestId = newRequestId(runtime)
    const text = JSON.stringify(errorResponseOf(error, requestId, runtime.origin()).body)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'x-request-id': requestId,
      connection: 'close',
      ...rateHeaders(authenticator.countAnonymous(socket.remoteAddress ?? '').rate),
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    setTimeout(() => socket.destroy(), closeMs).unref()
    socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${text}`)
  }

/** The error for a connection that does not speak HTTP, or whose request does not arrive in time. */
export function connectionError({ code, rawPacket }: ConnectionError): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return HeadersTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return RequestTimeout()
  if (code === 'HPE_INVALID_METHOD' && isRequestLine(rawPacket)) return MethodNotImplemented()
  return MalformedRequest('The request is not valid HTTP.')
}

/** Whether the bytes begin like a request, with any token as the method. */
const isRequestLine = (bytes: unknown) =>
  Buffer.isBuffer(bytes) && /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/.test(bytes.toString('latin1'))
