import type { Clock } from '../clock.ts'
import { sharedNow } from '../db/shared-now.ts'
import { type Sql, sql } from '../db/sql.ts'

/**
 * A worker's right to a record while it asks others about it, which it does without an open transaction: until the lease
 * ends, no other worker gets the record. `claim…` is one conditional update, so of several workers one gets the lease.
 * Saving the result releases it. A killed worker releases nothing; the record is free once the lease has ended.
 *
 * PostgreSQL's clock stamps and compares leases, because each worker's own may be wrong.
 */
export interface Lease {
  readonly now: Sql
  readonly ms: number | Sql
}

/** Longer than all requests about one record take. */
const usualMs = 120_000

/** How far PostgreSQL's clock may be set back without ending leases. */
const stepMs = 1000

export const leaseFrom = (clock: Pick<Clock, 'shared'>, ms: number | Sql = usualMs): Lease => ({
  now: sharedNow(clock),
  ms,
})

const milliseconds = (ms: number | Sql): Sql => sql`${ms} * interval '1 millisecond'`

/** An expression: when the lease ends. */
export const leaseEnd = ({ now, ms }: Lease): Sql => sql`(${now} + ${milliseconds(ms)})`

/**
 * An expression: whether a stored lease with this end is over. None can end later than it lasts, so one that would was
 * stamped while the clock was wrong, and is over as well.
 */
export const hasEnded = (until: Sql, { now, ms }: Lease): Sql => {
  const longest = typeof ms === 'number' ? ms + stepMs : sql`(${ms} + 1000)`
  return sql`(${until} is null or ${until} <= ${now} or ${until} > ${now} + ${milliseconds(longest)})`
}

/** An expression: whether something that began then may still last. */
export const mayLast = (began: Sql, { now, ms }: Lease): Sql =>
  sql`(${began} > ${now} - ${milliseconds(ms)} and ${began} <= ${now} + ${milliseconds(stepMs)})`

/** An expression: whether no lease of a record with a `claimed_until` lasts. */
export const isUnclaimed = (lease: Lease): Sql => hasEnded(sql`claimed_until`, lease)
