import { Type } from 'typebox'
import type { IdleWorkers } from '../background/idle-workers.ts'
import { type Clock, later } from '../clock.ts'
import type { Queries } from '../db/handles.ts'
import { raw, sql } from '../db/sql.ts'
import { jobsSchema } from './migrate-jobs.ts'

/** graphile-worker notifies this channel of every job, due now or later. */
export const jobWorkers: IdleWorkers = {
  channel: 'jobs:insert',
  wake: sql`null`,
  async becomeIdle(connection) {
    await connection.run(raw('listen "jobs:insert"'))
    return true
  },
  becomeBusy: (connection) => connection.run(raw('unlisten "jobs:insert"')),
}

const NextRow = Type.Object({ name: Type.String(), in_ms: Type.Number() })

/** For each kind of job that waits: when its next one runs. PostgreSQL's clock decides, so the times fit `clock`. */
export async function findNextRuns(queue: Queries, clock: Clock): Promise<{ name: string; runAt: Date }[]> {
  const rows = await queue.many(NextRow)`
    select identifier as name, extract(epoch from min(run_at) - now())::float8 * 1000 as in_ms
    from ${raw(jobsSchema)}._private_jobs jobs join ${raw(jobsSchema)}._private_tasks tasks on tasks.id = jobs.task_id
    where is_available group by identifier`
  const now = clock.now()
  return rows.map(({ name, in_ms }) => ({ name, runAt: later(now, Math.ceil(in_ms)) }))
}
