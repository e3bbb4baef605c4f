import pg from 'pg'
import { AppError, Unavailable } from '../errors.ts'

/**
 * SQLSTATEs, or their two-letter classes, that say "not now": lost connections (08), no resources (53), operator's
 * intervention and cancelled by timeout (57), lock not available (55P03), serialisation and deadlock (40),
 * a read-only or idle-killed session (25006, 25P03), a role, database or table that a migration has yet to make (28, 3D,
 * 42P01).
 */
const transient = new Set(['08', '28', '3D', '40', '53', '57', '25006', '25P03', '42P01', '55P03'])

/** A statement that could not be sent or an answer that could not be read: our fault, and no reason to try again. */
export class StatementFault extends Error {}

/** What the caller may be told of a database's error: 503 where trying again can help, else the error unchanged. */
export function asAnswer(error: unknown): unknown {
  if (error instanceof AppError || error instanceof StatementFault) return error
  // Whatever the server did not say itself is about the connection: refused, reset, ended, timed out.
  if (!(error instanceof pg.DatabaseError)) return unavailable(error)
  const code = error.code ?? ''
  return transient.has(code) || transient.has(code.slice(0, 2)) ? unavailable(error) : error
}

const unavailable = (cause: unknown) => Object.assign(Unavailable(), { cause })

/** Whether a write failed on the named constraint: the race-free way to learn that a reference or a name was wrong. */
export const violates = (error: unknown, constraint: string) =>
  error instanceof pg.DatabaseError && error.constraint === constraint
