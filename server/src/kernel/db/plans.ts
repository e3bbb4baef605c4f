import type { DirectoryTx } from './handles.ts'
import { type Sql, join, raw, sql } from './sql.ts'

/** For statements that take arrays. Without it, PostgreSQL would plan them at every execution. */
export const genericPlan = '-c plan_cache_mode=force_generic_plan'

/** A cached plan is made only once. If the table were empty then, PostgreSQL would choose a scan. */
const withoutScans = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin']

/** Connection options for statements that find rows by index in tables that grow from empty to millions of rows. */
export const byIndex = [genericPlan, ...withoutScans.map((one) => `-c ${one}=off`)].join(' ')

/**
 * For transactions, which find rows by index and write few. A plan made while a queue was empty would scan the queue
 * once it is full, including all dead rows.
 */
export const withoutSeqScans = '-c enable_seqscan=off'

const settings: Sql[] = withoutScans.map((one) => sql`set_config(${raw(`'${one}'`)}, 'off', true)`)

/** Sets the options of `byIndex` for the rest of the transaction. */
export const planByIndex = (tx: DirectoryTx): void =>
  tx.write`select set_config('plan_cache_mode', 'force_generic_plan', true), ${join(settings, ', ')}`
