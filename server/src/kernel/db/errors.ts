import pg from 'pg'
import { AppError, ReferenceNotFound, Unavailable } from '../errors.ts'

/**
 * SQLSTATEs, or their two-letter classes, of temporary errors: connection (08), insufficient resources (53), operator
 * intervention and statement timeout (57), lock not available (55P03), serialization failure and deadlock (40), a
 * read-only or timed-out session (25006, 25P03), and a role, database, or table that a migration has yet to create
 * (28, 3D, 42P01).
 */
const transient = new Set(['08', '28', '3D', '40', '53', '57', '25006', '25P03', '42P01', '55P03'])

/**
 * SQLSTATEs after which a connection is useless: the server ends it (57P…, 25P03), or it keeps a setting from a time when
 * nothing could be written (25006): `default_transaction_read_only` of a database holds until the session ends.
 */
const spoiling = /^(?:57P0\d|25P03|25006)$/

/** Whether the connection that returned this error must be closed. */
export const spoilsConnection = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && spoiling.test(error.code ?? '')

/** A statement could not be sent, or its response could not be read. This is a bug, so a retry does not help. */
export class StatementError extends Error {}

/** Converts a temporary database error to `Unavailable` (503). Returns any other error unchanged. */
export function toAppError(error: unknown): unknown {
  if (error instanceof AppError || error instanceof StatementError) return error
  // An error that does not come from the server concerns the connection: it was reset, closed, timed out, or never
  // established.
  if (!(error instanceof pg.DatabaseError)) return unavailable(error)
  const code = error.code ?? ''
  return transient.has(code) || transient.has(code.slice(0, 2)) ? unavailable(error) : error
}

/** Whether a retry may succeed: the database was away, another transaction held a lock, or others were first. */
export function isTemporary(error: unknown): boolean {
  const known = toAppError(error)
  return known instanceof AppError && known.code === Unavailable.code
}

/**
 * Whether an error is unrelated to the request: the database was down, shutting down, or full, or two transactions
 * conflicted. A statement timeout does not count, because the same statement may time out every time.
 */
export const isOutage = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === Unavailable.code &&
  !(error.cause instanceof pg.DatabaseError && error.cause.code === queryCanceled)

const queryCanceled = '57014'

const unavailable = (cause: unknown) => Object.assign(Unavailable(), { cause })

const integrityViolation = '23'
const foreignKeyViolation = '23503'

/**
 * Whether a write violated the named constraint. This is how to detect a taken name or a missing reference without a
 * race. If the error lacks the constraint field, the name is read from the message, with or without a trailing
 * number: a distributed PostgreSQL loses the field between its nodes and appends a shard number to the name.
 */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError &&
  error.code?.startsWith(integrityViolation) === true &&
  new RegExp(`(?<!\\w)${constraint}(_\\d+)?(?!\\w)`).test(error.constraint ?? error.message)

/** Quoted names in a message, in the quotation marks of the server's language. */
const quotedName = /["«»„“”]\s*(\w+?)(?:_\d+)?\s*["«»“”]/g

/**
 * Converts the foreign key violation of a write that names a record missing from the workspace to
 * `ReferenceNotFound`. Returns any other error unchanged. A foreign key is named after its table and field:
 * `contacts_owner` belongs to `owner_id` of `contacts`.
 */
export function toReferenceError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== foreignKeyViolation) return error
  // The message names the table and the constraint. For a delete, it also names the referencing table.
  const [table = '', constraint = '', ...more] = [...error.message.matchAll(quotedName)].map(
    ([, name]) => name,
  )
  if (more.length > 0 || !constraint.startsWith(`${table}_`)) return error
  return Object.assign(ReferenceNotFound(`${constraint.slice(table.length + 1)}_id`), { cause: error })
}
