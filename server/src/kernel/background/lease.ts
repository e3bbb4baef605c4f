import { later } from '../clock.ts'
import { type Sql, sql } from '../db/sql.ts'

/**
 * A worker's right to a record while it asks others about it, which it does without an open transaction: until the lease
 * ends, no other worker gets the record. `claim…` is one conditional update, so of several workers one gets the lease.
 * Saving the result releases it. A killed worker releases nothing; the record is free once the lease has ended.
 */
export interface Lease {
  readonly at: Date
  readonly until: Date
}

/** Longer than all requests about one record take. */
const leaseMs = 120_000

export const leaseFrom = (at: Date): Lease => ({ at, until: later(at, leaseMs) })

/** Whether no lease of a record with a `claimed_until` lasts. */
export const isUnclaimed = (at: Date): Sql => sql`(claimed_until is null or claimed_until <= ${at})`
