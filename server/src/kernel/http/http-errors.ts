import { defineError } from '../errors.ts'

export const Unauthorized = defineError('unauthorized', 401, (message: string) => ({
  message,
  headers: { 'www-authenticate': 'Token realm="gable", Bearer realm="gable"' },
}))

export const InsufficientScope = defineError('insufficient_scope', 403, (scope: string, holder?: string) => ({
  message: `${holder ?? 'This credential'} lacks the scope ${scope}.`,
  details: [{ path: 'scope', message: scope }],
}))

export const RecentSignInRequired = defineError('recent_sign_in_required', 403, () => ({
  message:
    'This requires a person who signed in within the last ten minutes. API keys and apps cannot do it.',
}))

export const RateLimited = defineError('rate_limited', 429, (retryAfterSeconds: number) => ({
  message: `Too many requests. Try again in ${retryAfterSeconds} s.`,
  headers: { 'retry-after': String(retryAfterSeconds) },
}))

export const TooMuchUnread = defineError('rate_limited', 429, () => ({
  message: 'Too many large responses are waiting for you to read them. Read them, then try again.',
  headers: { 'retry-after': '1' },
}))

export const RouteNotFound = defineError('not_found', 404, (path: string) => ({
  message: `No route matches ${path}.`,
}))

export const MethodNotAllowed = defineError('method_not_allowed', 405, (allowed: readonly string[]) => ({
  message: `This path supports only ${allowed.join(', ')}.`,
  headers: { allow: allowed.join(', ') },
}))

export const MethodNotImplemented = defineError('method_not_implemented', 501, () => ({
  message: 'This server does not implement the method of the request.',
}))

export const MalformedBody = defineError('validation_failed', 400, (message: string) => ({
  message,
  details: [{ path: 'body', message }],
}))

export const PayloadTooLarge = defineError('payload_too_large', 413, (maxBytes: number) => ({
  message: `The body is too large. The maximum is ${maxBytes} bytes.`,
}))

export const UnsupportedMediaType = defineError('unsupported_media_type', 415, () => ({
  message: 'The body must be JSON. Send it with Content-Type: application/json.',
}))

export const MalformedRequest = defineError('validation_failed', 400, (message: string) => ({ message }))

export const RequestTimeout = defineError('request_timeout', 408, () => ({
  message: 'The request took too long to arrive.',
}))

export const HeadersTooLarge = defineError('headers_too_large', 431, () => ({
  message: 'The headers are too large. The maximum is 16 kB.',
}))

export const Internal = defineError('internal', 500, () => ({
  message: 'Something went wrong on our side. Include the request ID when you report it.',
}))
