import type { Socket } from 'node:net'
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { House } from '../context.ts'
import { AppError } from '../errors.ts'
import { newId } from '../ids.ts'
import {
  HeadersTooLarge,
  InsufficientScope,
  MalformedRequest,
  PayloadTooLarge,
  RequestTimeout,
  UnsupportedMediaType,
  errorAnswer,
  publicError,
  rateHeaders,
} from './answer.ts'
import { maxBodyBytes } from './body.ts'
import type { Door, Principal } from './principal.ts'

export const newRequestId = ({ clock }: House) => `req_${newId(clock.now())}`

/** What the caller is told of any error of a request; logs those that are our fault. */
export function refusalOf(
  { log }: House,
  error: unknown,
  requestId: string,
  maxBytes = maxBodyBytes,
): AppError {
  const refusal = publicError(inOurWords(error, maxBytes))
  if (refusal.status >= 500) log.error({ err: error, requestId }, 'request failed')
  return refusal
}

/** Answers any error of a request in the one shape. */
export const errorHandler =
  (house: House) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = refusalOf(house, error, request.id)
    const { status, body } = errorAnswer(refusal, request.id)
    return reply
      .code(status)
      .headers({
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': request.id,
        ...(request.admission === undefined ? {} : rateHeaders(request.admission.rate)),
        ...refusal.body.headers,
        ...challengeOf(request.admission?.principal, refusal),
      })
      .send(JSON.stringify(body))
  }

/** Whoever came with a Bearer token is told in the header too which scope it lacks (RFC 6750, 3). */
function challengeOf(principal: Principal | null | undefined, { code, body }: AppError) {
  if (principal?.scheme !== 'Bearer' || code !== InsufficientScope.code) return {}
  const scope = body.details?.find(({ path }) => path === 'scope')?.message ?? ''
  return { 'www-authenticate': `Bearer realm="gable", error="${code}", scope="${scope}"` }
}

/** Answers what is not even HTTP; there is no request to speak of, only a socket. */
export const socketErrorHandler = (house: House, door: Door) => (error: ConnectionError, socket: Socket) => {
  if (!socket.writable) return
  const refusal = socketRefusal(error)
  const requestId = newRequestId(house)
  const text = JSON.stringify(errorAnswer(refusal, requestId).body)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': requestId,
    connection: 'close',
    ...rateHeaders(door.countAnonymous(socket.remoteAddress ?? '').rate),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // A peer that never closes its side is cut off.
  setTimeout(() => socket.destroy(), 1000).unref()
  socket.end(`HTTP/1.1 ${refusal.status} Refused\r\n${lines.join('')}\r\n${text}`)
}

function socketRefusal({ code }: ConnectionError): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return HeadersTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return RequestTimeout()
  return MalformedRequest('This is not valid HTTP.')
}

/** Fastify's own refusals. */
function inOurWords(error: unknown, maxBytes: number): unknown {
  if (error instanceof AppError) return error
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return PayloadTooLarge(maxBytes)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return UnsupportedMediaType()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return MalformedRequest('The body is not as long as Content-Length says.')
    case 'FST_ERR_BAD_URL':
      return MalformedRequest('The address is not valid.')
    default:
      return error
  }
}
