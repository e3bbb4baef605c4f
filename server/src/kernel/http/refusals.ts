import type { Socket } from 'node:net'
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { House } from '../context.ts'
import { AppError } from '../errors.ts'
import { newId } from '../ids.ts'
import {
  HeadersTooLarge,
  MalformedRequest,
  PayloadTooLarge,
  RequestTimeout,
  UnsupportedMediaType,
  errorAnswer,
  publicError,
  rateHeaders,
} from './answer.ts'
import { maxBodyBytes } from './body.ts'
import type { Door } from './principal.ts'

export const newRequestId = ({ clock }: House) => `req_${newId(clock.now())}`

/** Answers any error of a request in the one shape, and logs those that are our fault. */
export const errorHandler =
  (house: House) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = publicError(inOurWords(error))
    if (refusal.status >= 500) house.log.error({ err: error, requestId: request.id }, 'request failed')
    const { status, body } = errorAnswer(refusal, request.id)
    return reply
      .code(status)
      .headers({
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': request.id,
        ...(request.admission === undefined ? {} : rateHeaders(request.admission.rate)),
        ...refusal.body.headers,
      })
      .send(JSON.stringify(body))
  }

/** Answers what is not even HTTP; there is no request to speak of, only a socket. */
export const socketErrorHandler = (house: House, door: Door) => (error: ConnectionError, socket: Socket) => {
  if (!socket.writable) return
  const refusal = refusalOf(error)
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

function refusalOf({ code }: ConnectionError): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return HeadersTooLarge()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return RequestTimeout()
  return MalformedRequest('This is not valid HTTP.')
}

/** Fastify's own refusals. */
function inOurWords(error: unknown): unknown {
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
    default:
      return error
  }
}
