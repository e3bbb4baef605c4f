import type { Clock } from '../clock.ts'
import { type Sql, sql } from './sql.ts'

/**
 * The present, as an expression: PostgreSQL's clock, which all processes share. What one process stamps and another one
 * compares, such as leases and rate windows, is stamped and compared by it alone. Only a test or a simulation hands in
 * another time.
 */
export const sharedNow = ({ shared }: Pick<Clock, 'shared'>): Sql =>
  shared === undefined ? sql`statement_timestamp()` : sql`${shared()}::timestamptz`
