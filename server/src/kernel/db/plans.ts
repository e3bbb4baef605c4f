import type { DirectoryTx } from './handles.ts'
import { type Sql, join, raw, sql } from './sql.ts'

/** For statements that take arrays, which PostgreSQL would otherwise plan at every execution. */
export const genericPlan = '-c plan_cache_mode=force_generic_plan'

/** A cached plan is made only once, and on an empty table PostgreSQL would choose a scan. */
const withoutScans = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin']

/** Connection options for statements that find rows by index, on tables that grow from empty to millions of rows. */
export const byIndex = [genericPlan, ...withoutScans.map((one) => `-c ${one}=off`)].join(' ')

/**
 * For transactions, which find rows by index and write few: a plan that was made while a queue was empty would scan it once it is
 * full, and all that its rows have left behind.
 */
export const withoutSeqScans = '-c enable_seqscan=off'

const settings: Sql[] = withoutScans.map((one) => sql`set_config(${raw(`'${one}'`)}, 'off', true)`)

/** The same for the statements of a transaction that has just begun. */
export const planByIndex = (tx: DirectoryTx): void =>
  tx.write`select set_config('plan_cache_mode', 'force_generic_plan', true), ${join(settings, ', ')}`
