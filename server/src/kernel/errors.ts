/** One fault of a request: where it is (`tags.3`, `limit`, `Idempotency-Key`) and what is wrong with it. */
export interface Fault {
  path: string
  message: string
}

export interface ErrorBody {
  message: string
  reason?: string
  details?: Fault[]
  /** Response headers that belong to this error, e.g. Allow or Retry-After. */
  headers?: Record<string, string>
}

/** An error that is an answer: it has a status, a stable code and words for the caller. All else is a 500. */
export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly body: ErrorBody

  constructor(code: string, status: number, body: ErrorBody, options?: ErrorOptions) {
    super(body.message, options)
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.body = body
  }
}

/**
 * Declares an error where it belongs: `throw ContactErased(id)`.
 * `describe` turns the arguments into the words and details of the answer.
 */
export function defineError<A extends unknown[]>(
  code: string,
  status: number,
  describe: (...args: A) => ErrorBody,
) {
  return Object.assign((...args: A) => new AppError(code, status, describe(...args)), { code, status })
}

export const ValidationFailed = defineError('validation_failed', 400, (details: Fault[]) => ({
  message:
    details.length === 1 ? `${details[0]?.path}: ${details[0]?.message}` : 'The request has several faults.',
  details,
}))

export const NotFound = defineError('not_found', 404, (what?: string) => ({
  message: what ?? 'No such object in this workspace.',
}))

/** A reference in a body that is not this workspace's: foreign and nonexistent ids get the same answer. */
export const ReferenceNotFound = defineError('not_found', 404, (path: string) => ({
  message: `${path} names nothing in this workspace.`,
  details: [{ path, message: 'names nothing in this workspace' }],
}))

export const Unavailable = defineError('unavailable', 503, (retryAfterSeconds?: number) => ({
  message: 'The service cannot answer right now. Try again shortly.',
  headers: { 'retry-after': String(retryAfterSeconds ?? 1) },
}))

/** The value, or 404 where there is none. */
export function found<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw NotFound()
  return value
}
