import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a page of another origin may read the response. The API takes credentials in a header, which the page must
 * supply, so no origin is trusted more than another. Cookies are never allowed: a response to a request with cookies
 * gets no CORS headers.
 */
export const isForAnyOrigin = ({ origin, cookie }: IncomingHttpHeaders) =>
  origin !== undefined && cookie === undefined

const exposed = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'X-Cursor-Reset',
  'Idempotency-Replayed',
  'WWW-Authenticate',
]

/** Headers that let pages of any origin read a response. */
export const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(', '),
}

const accepted = ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match']

export const isPreflight = (headers: IncomingHttpHeaders) =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/** Headers of a preflight response. Browsers cache it for at most two hours. */
export const preflightHeaders = (methods: readonly string[]) => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': accepted.join(', '),
  'access-control-max-age': '7200',
})
