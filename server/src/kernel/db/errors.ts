import pg from 'pg'
import { AppError, ReferenceNotFound, Unavailable } from '../errors.ts'

/**
 * SQLSTATEs, or their two-letter classes, of temporary errors: connection (08), insufficient resources (53), operator
 * intervention and statement timeout (57), lock not available (55P03), serialization failure and deadlock (40), a
 * read-only or timed-out session (25006, 25P03), and a role, database or table that a migration has yet to create (28,
 * 3D, 42P01).
 */
const transient = new Set(['08', '28', '3D', '40', '53', '57', '25006', '25P03', '42P01', '55P03'])

/** A statement that could not be sent or a response that could not be read: a bug, so trying again is no use. */
export class StatementError extends Error {}

/** Returns `Unavailable` (503) for a temporary error of the database, and any other error unchanged. */
export function toAppError(error: unknown): unknown {
  if (error instanceof AppError || error instanceof StatementError) return error
  // An error that does not come from the server concerns the connection: reset, closed, timed out, or never established.
  if (!(error instanceof pg.DatabaseError)) return unavailable(error)
  const code = error.code ?? ''
  return transient.has(code) || transient.has(code.slice(0, 2)) ? unavailable(error) : error
}

/**
 * Whether an error says nothing of what was asked: the database was away, shut down, or full, or two transactions met. A statement that
 * took too long may do so each time, so it is not among them.
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
 * Whether a write violated the named constraint: the way to detect a taken name or a missing reference without a race.
 * The name is read from the message if the error's field is missing, with or without a number behind it: a distributed
 * PostgreSQL loses the field between its nodes and appends the number of a shard to the name.
 */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError &&
  error.code?.startsWith(integrityViolation) === true &&
  new RegExp(`(?<!\\w)${constraint}(_\\d+)?(?!\\w)`).test(error.constraint ?? error.message)

/** Names in a message, in the quotation marks of its language. */
const quotedName = /["«»„“”]\s*(\w+?)(?:_\d+)?\s*["«»“”]/g

/**
 * Returns `ReferenceNotFound` for a write that names a record that does not exist in the workspace, and any other error
 * unchanged. A foreign key is named after its table and field: `contacts_owner` belongs to `owner_id` of `contacts`.
 */
export function toReferenceError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== foreignKeyViolation) return error
  // The message names the table and the constraint. That of a delete names the referencing table as well.
  const [table = '', constraint = '', ...more] = [...error.message.matchAll(quotedName)].map(
    ([, name]) => name,
  )
  if (more.length > 0 || !constraint.startsWith(`${table}_`)) return error
  return Object.assign(ReferenceNotFound(`${constraint.slice(table.length + 1)}_id`), { cause: error })
}
