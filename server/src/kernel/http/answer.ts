import { AppError, defineError } from '../errors.ts'
import type { Answer } from './endpoint.ts'
import type { RateState } from './principal.ts'

export const Unauthorized = defineError('unauthorized', 401, (message: string) => ({
  message,
  headers: { 'www-authenticate': 'Token realm="gable", Bearer realm="gable"' },
}))

export const InsufficientScope = defineError('insufficient_scope', 403, (scope: string, who?: string) => ({
  message: `${who ?? 'This credential'} lacks the scope ${scope}.`,
  details: [{ path: 'scope', message: scope }],
}))

export const RateLimited = defineError('rate_limited', 429, (retryAfterSeconds: number) => ({
  message: `Too many requests. Try again in ${retryAfterSeconds} s.`,
  headers: { 'retry-after': String(retryAfterSeconds) },
}))

export const RouteNotFound = defineError('not_found', 404, (path: string) => ({
  message: `There is nothing at ${path}.`,
}))

export const MethodNotAllowed = defineError('method_not_allowed', 405, (allow: string) => ({
  message: `This path answers ${allow}.`,
  headers: { allow },
}))

export const MalformedBody = defineError('validation_failed', 400, (message: string) => ({
  message,
  details: [{ path: 'body', message }],
}))

export const PayloadTooLarge = defineError('payload_too_large', 413, (bytes: number) => ({
  message: `A body has at most ${bytes} bytes.`,
}))

export const UnsupportedMediaType = defineError('unsupported_media_type', 415, () => ({
  message: 'Bodies are JSON: send Content-Type: application/json.',
}))

export const MalformedRequest = defineError('validation_failed', 400, (message: string) => ({ message }))

export const RequestTimeout = defineError('request_timeout', 408, () => ({
  message: 'The request took too long to arrive.',
}))

export const HeadersTooLarge = defineError('headers_too_large', 431, () => ({
  message: 'The headers are too large.',
}))

const Internal = defineError('internal', 500, () => ({
  message: 'Something went wrong on our side. Quote the request id when you report it.',
}))

/** What the caller is told: the error's own words if it is an answer, and nothing of its innards if it is a fault. */
export const publicError = (error: unknown): AppError => (error instanceof AppError ? error : Internal())

/** The one shape of an error's body. */
export function errorAnswer({ code, status, body }: AppError, requestId: string): Answer {
  const { message, reason, details } = body
  return {
    status,
    body: {
      error: {
        code,
        message,
        ...(reason === undefined ? {} : { reason }),
        ...(details === undefined ? {} : { details }),
        request_id: requestId,
      },
    },
  }
}

export const rateHeaders = ({ limit, remaining, resetAt }: RateState) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetAt),
})
