/** One issue of a request: its path (`tags.3`, `limit`, `Idempotency-Key`) and a message. */
export interface Issue {
  path: string
  message: string
}

export interface ErrorBody {
  message: string
  reason?: string
  details?: Issue[]
  /** Additional members of the error that are specific to its code. */
  more?: object
  /** Response headers of this error, such as Allow or Retry-After. */
  headers?: Record<string, string>
}

/** An error for the caller, with a status, a stable code, and a message. Any other error becomes a 500. */
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
 * Declares an error next to the code that throws it: `throw ContactErased(id)`. `describe` turns the arguments into
 * the response's message and details.
 */
export function defineError<A extends unknown[]>(
  code: string,
  status: number,
  describe: (...args: A) => ErrorBody,
) {
  return Object.assign((...args: A) => new AppError(code, status, describe(...args)), { code, status })
}

/** Maximum number of issues in a response. */
export const maxIssues = 100

export const ValidationFailed = defineError('validation_failed', 400, (details: Issue[]) => ({
  message:
    details.length === 1
      ? `${details[0]?.path}: ${details[0]?.message}`
      : `These fields are invalid: ${listed(details.map(({ path }) => path))}.`,
  details,
}))

const maxListed = 5

/** The first few distinct names, and how many more there are. */
function listed(names: readonly string[]): string {
  const distinct = [...new Set(names)]
  const more = distinct.length - maxListed
  return distinct.slice(0, maxListed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

export const NotFound = defineError('not_found', 404, (what?: string) => ({
  message: what ?? 'This workspace has no such object.',
}))

/** What is wrong with a reference, in any list of issues. */
export const doesNotExist = 'does not exist in this workspace'

/**
 * A reference to something that does not exist in the workspace. An id from another workspace gets the same response.
 */
export const ReferenceNotFound = defineError('not_found', 404, (...paths: string[]) => ({
  message: paths.map((path) => `${path} does not exist in this workspace.`).join(' '),
  details: paths.map((path) => ({ path, message: doesNotExist })),
}))

export const Unavailable = defineError('unavailable', 503, (retryAfterSeconds?: number) => ({
  message: 'The service is temporarily unavailable. Try again shortly.',
  headers: { 'retry-after': String(retryAfterSeconds ?? 1) },
}))

/** The value. Throws `NotFound` (404) if there is none. */
export function orNotFound<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw NotFound()
  return value
}
